# What a backward pass with `inputs=` runs.

from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node


# mark the nodes that lead to `ends`, and note where gradients are to be captured
cdef int init_to_execute(GraphTask task, list roots, list ends, bint accumulate_grad) except -1
# whether the node is applied, and not only looked at for its gradient
cdef bint should_execute(GraphTask task, Node node) except -1
# keep the gradients that have arrived at the node, where `ends` names it
cdef int capture(GraphTask task, Node node) except -1
# all nodes that can be reached from the roots and, under `inputs=`, from which one of those can
cdef set nodes_to_execute(GraphTask task)
cdef list execution_order(GraphTask task)
