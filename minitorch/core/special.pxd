# The base of what `TensorImpl.special` is, where somebody else than a kernel computes for a tensor: Note
# [Interposition] in autograd/interpose.pyx.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    ON_CPU = 0
    ON_META = 1
    SAYS_ITSELF = 2                      # of a class in Python, which may say that it is anywhere


cdef class Special:
    """What `TensorImpl.special` is, when it is not None."""
    cdef signed char device_kind


cdef inline signed char device_kind_of(TensorImpl t) noexcept:
    return ON_CPU if t.special is None else (<Special>t.special).device_kind
