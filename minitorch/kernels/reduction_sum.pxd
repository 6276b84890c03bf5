# Sums, products and means. Strides are in bytes, `r` comes from plan_reduction (unordered). Every
# function returns non-zero when it has no loop for the dtypes.
#
# Real inputs of any dtype; the sum is taken in int64, float32 or float64, whichever holds
# `out_dtype` (elements are converted before they are added, as PyTorch does). Complex inputs need
# out_dtype == in_dtype. Integers wrap around; nothing reduced gives 0 (prod: 1, mean: nan).

from minitorch.kernels.reduction cimport Reduction

cdef int sum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                    int out_dtype) noexcept nogil
# the sum divided by the number of elements; out_dtype floating or complex
cdef int mean_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil
# nan counts as 0; real only
cdef int nansum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                       int out_dtype) noexcept nogil
cdef int prod_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil
