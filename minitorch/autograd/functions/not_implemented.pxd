# The node of an operator that has no derivative, also in PyTorch: its backward says so.

from minitorch.autograd.node cimport Node


cdef class NotImplemented(Node):        # arg0: the operator's name in that message
    pass
