from minitorch.autograd.variable cimport TensorBase

cdef class TensorProperties(TensorBase):
    cdef _number(self)                  # the only element; ValueError when there is another number
