# Sums, products and means. Strides are in bytes, and `r` comes from plan_reduction (unordered). Every function
# returns non-zero if it does not support the dtypes.
#
# Real inputs may have any dtype. The sum is computed in int64, float32 or float64, whichever holds `out_dtype`;
# as in PyTorch, elements are converted before they are added. Complex inputs need out_dtype == in_dtype. Integers
# wrap around. Without elements the result is 0 (prod: 1, mean: nan).

from minitorch.kernels.reduction.reduction cimport Reduction

cdef int sum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                    int out_dtype) noexcept nogil
# the sum divided by the number of elements; out_dtype floating or complex
cdef int mean_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil
# nan is treated as 0; real dtypes only
cdef int nansum_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                       int out_dtype) noexcept nogil
cdef int prod_kernel(char* input, char* out, const Reduction* r, int in_dtype,
                     int out_dtype) noexcept nogil
