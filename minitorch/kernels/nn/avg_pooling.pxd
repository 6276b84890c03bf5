# Average pooling, with the conventions of pooling.pxd. The functions return a PoolStatus.

from minitorch.kernels.nn.pooling cimport PoolShape

# output[o] = sum over the window of o / divisor. The divisor is divisor_override unless that is 0. Otherwise it
# is the size of the window, with count_include_pad including its part in the padding. A window outside of the
# input gives 0. Floating dtypes, and Int64 with truncating division.
cdef int avg_pool(int dtype, const PoolShape* s, bint count_include_pad, long long divisor_override,
                  const char* input_, char* output) noexcept nogil
cdef int avg_pool_backward(int dtype, const PoolShape* s, bint count_include_pad,
                           long long divisor_override, const char* grad_output,
                           char* grad_input) noexcept nogil

# The mean over the windows of adaptive_max_pool. Floating dtypes only
cdef int adaptive_avg_pool(int dtype, const PoolShape* s, const char* input_,
                           char* output) noexcept nogil
cdef int adaptive_avg_pool_backward(int dtype, const PoolShape* s, const char* grad_output,
                                    char* grad_input) noexcept nogil
