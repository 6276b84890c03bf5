# Tensors that are known to be zeros.

from minitorch.autograd.special cimport SpecialGradient
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class ZeroTensor(Special):
    """The `special` of a tensor that is known to be zeros. Its memory has the zeros too, so it can be read."""
    cdef SpecialGradient _counted        # a gradient may be such a tensor

# A gradient that is zero whatever follows; ordinary zeros if a mode or a class sees the operators on Tensors
cdef TensorImpl known_zeros_of_impl(TensorImpl grad, TensorImpl result)
cdef TensorBase known_zeros(TensorBase grad, TensorBase result)
