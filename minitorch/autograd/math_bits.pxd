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

cdef TensorImpl conj_view(TensorImpl self)       # operators of which a kernel would know nothing
cdef TensorImpl neg_view(TensorImpl self)
# The replay of a view of `before`, whose base is `base`: for EngineOperators.view_steps
cdef object view_steps(TensorBase view, TensorBase before, TensorBase base)

cdef inline MathBits bits_in(TensorImpl t):
    """Return the `special` of a lazy conjugate or negative, else None."""
    return <MathBits>t.special if isinstance(t.special, MathBits) else None
