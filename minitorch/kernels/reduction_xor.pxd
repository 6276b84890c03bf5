# The exclusive or of the bits of elements of 64 bits. Strides are in bytes.

from minitorch.kernels.reduction cimport Reduction

cdef void xor_kernel(char* input, char* out, const Reduction* r) noexcept nogil
