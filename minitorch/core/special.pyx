"""What is common to all tensors that somebody else than a kernel computes for."""


cdef class Special:
    pass
