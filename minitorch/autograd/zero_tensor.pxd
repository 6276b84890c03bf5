# Tensors that are known to be zeros.

from minitorch.core.special cimport Special


cdef class ZeroTensor(Special):
    """The `special` of a tensor that is known to be zeros. Its memory has the zeros too, so it can be read."""
