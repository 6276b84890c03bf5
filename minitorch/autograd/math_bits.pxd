# Lazy conjugates and negatives: tensors whose elements are conjugated or negated when they are read.

from minitorch.autograd.special cimport SpecialGradient
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class MathBits(Special):
    """How the elements of a tensor are to be read."""
    cdef readonly bint conj
    cdef readonly bint neg
    cdef SpecialGradient _counted        # formulas on impls would read the elements as they are in memory

cdef inline MathBits bits_in(TensorImpl t):
    """Return the `special` of a lazy conjugate or negative, else None."""
    return <MathBits>t.special if isinstance(t.special, MathBits) else None
