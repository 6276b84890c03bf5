# any, all and the count of nonzero elements, for inputs of every dtype; nan is nonzero. Strides are in bytes.
# Without elements the results are false, true and 0. Returns non-zero for an unknown dtype.

from minitorch.kernels.reduction.reduction cimport Reduction

# Results are one byte, 0 or 1 (Bool, or UInt8 like PyTorch's any and all of uint8)
cdef int any_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
cdef int all_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
# Results are int64
cdef int count_nonzero_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
