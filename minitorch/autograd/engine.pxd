# The engine: runs a graph backward. Knows Node, knows no operator.

from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node


# The steps that engine_steps.pyx lends to engines written in Python
cdef tuple unpack_arguments(tensors, grad_tensors, inputs, bint accumulate_grad)    # -> roots, ends
cdef object root_gradient(Node function, unsigned int nr, object gradient, bint recording,
                          Py_ssize_t k)
cdef int call_function(GraphTask task, Node node) except -1
