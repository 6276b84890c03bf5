# any, all and the count of non-zero elements. Strides are in bytes. Inputs of every dtype, nan
# counting as non-zero; nothing reduced gives false, true and 0. Non-zero for an unknown dtype.

from minitorch.kernels.reduction cimport Reduction

# results are one byte, 0 or 1 (Bool, or UInt8 as PyTorch's any and all of uint8 have)
cdef int any_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
cdef int all_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
# results are int64
cdef int count_nonzero_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil
