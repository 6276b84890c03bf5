# x[...] and x[...] = value.

from minitorch.autograd.variable cimport TensorBase

cdef class TensorSubscript(TensorBase):
    pass
