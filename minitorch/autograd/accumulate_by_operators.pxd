# Accumulating a gradient by operators, for kinds of tensors whose memory a kernel cannot add to.

from minitorch.autograd.variable cimport TensorBase

cdef int accumulate_by_operators(TensorBase variable, TensorBase gradient, bint alone) except -1
cdef TensorBase copy_by_operators(TensorBase variable, TensorBase gradient)
