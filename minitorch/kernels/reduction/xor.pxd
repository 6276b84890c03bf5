# The exclusive or of the bits of 64-bit elements. Strides are in bytes.

from minitorch.kernels.reduction.reduction cimport Reduction

cdef void xor_kernel(char* input, char* out, const Reduction* r) noexcept nogil
