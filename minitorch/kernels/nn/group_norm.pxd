# group_norm over contiguous (n, c, s) arrays, with the channels in `groups` equal groups; s is the product of the
# spatial sizes, or 1 if there are none. dtype is Float32 or Float64 and applies to every array. The functions
# return non-zero for another dtype or if scratch memory is short. A group must not be empty. gamma and beta (c,)
# may be NULL, and so may each result of the derivative.

# out = (x - mean) * rstd * gamma + beta; mean and rstd (n, groups) are results
cdef int group_norm_kernel(const char* x, const char* gamma, const char* beta, char* out,
                           char* mean, char* rstd, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                           Py_ssize_t groups, double eps, int dtype) noexcept nogil

cdef int group_norm_backward_kernel(const char* grad, const char* x, const char* mean,
                                    const char* rstd, const char* gamma, char* dx, char* dgamma,
                                    char* dbeta, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                    Py_ssize_t groups, int dtype) noexcept nogil
