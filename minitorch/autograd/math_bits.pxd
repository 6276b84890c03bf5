# Tensors that are to be read as conjugated or negated: what `conj()` gives.

from minitorch.autograd.special cimport SpecialGradient
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class MathBits(Special):
    """How the elements of a tensor are to be read."""
    cdef readonly bint conj
    cdef readonly bint neg
    cdef SpecialGradient _counted        # formulas on impls would read the elements as they stand

cdef TensorImpl resolved_impl(TensorImpl impl)           # with its own elements, as they are to be read
