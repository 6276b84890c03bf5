# The engine: runs a graph backward. Knows Node, knows no operator.

from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node


# What engine_steps.pyx lends to engines written in Python
cdef int call_function(GraphTask task, Node node) except -1
