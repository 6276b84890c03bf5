# Which nodes a backward pass with `inputs=` runs.

from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node


# mark the nodes that lead to one of `ends`, and set up the capture of their gradients
cdef int init_to_execute(GraphTask task, list roots, list ends, bint accumulate_grad) except -1
# whether the node is applied; otherwise only the gradients that arrive at it are captured
cdef bint should_execute(GraphTask task, Node node) except -1
# store the gradients that have arrived at the node as results, if they are gradients of `ends`
cdef int capture(GraphTask task, Node node) except -1
# the nodes that are reachable from the roots and, under `inputs=`, lead to one of the inputs
cdef set nodes_to_execute(GraphTask task)
# the roots and the nodes that the task runs, in the order of the ready queue
cdef list execution_order(GraphTask task)
