# The base class of `TensorImpl.special`, for tensors for which a kernel alone cannot compute: Note [Interposition] in
# autograd/interpose.pyx.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    ON_CPU = 0
    ON_META = 1
    SAYS_ITSELF = 2                      # a class in Python decides which device it reports


cdef class Special:
    """The base class of `TensorImpl.special`, unless that is None."""
    cdef signed char device_kind


cdef inline signed char device_kind_of(TensorImpl t) noexcept:
    return ON_CPU if t.special is None else (<Special>t.special).device_kind
