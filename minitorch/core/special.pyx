"""The base class of `TensorImpl.special`."""


cdef class Special:
    pass
