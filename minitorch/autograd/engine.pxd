# The engine: runs a graph backward. It knows `Node`, but no operator.

from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node


# Step 7 for one node; engine_steps.pyx offers it to engines written in Python
cdef int call_function(GraphTask task, Node node) except -1
