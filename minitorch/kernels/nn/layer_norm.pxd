# layer_norm and rms_norm over contiguous rows: x, out, grad, dx of shape (m, n). dtype is Float32 or Float64 and
# applies to every array. Every function returns non-zero for another dtype or if scratch memory is short. Results
# may overwrite x or grad. Pointers may be NULL only where noted.

# out = (x - mean) * rstd * gamma + beta with rstd = 1 / sqrt(var + eps), the variance biased.
# gamma, beta (n,) may be NULL; mean, rstd (m,) are results
cdef int layer_norm_kernel(const char* x, const char* gamma, const char* beta, char* out,
                           char* mean, char* rstd, Py_ssize_t m, Py_ssize_t n, double eps,
                           int dtype) noexcept nogil

# gamma may be NULL, and so may each of the results dx (m, n), dgamma, dbeta (n,)
cdef int layer_norm_backward_kernel(const char* grad, const char* x, const char* mean,
                                    const char* rstd, const char* gamma, char* dx, char* dgamma,
                                    char* dbeta, Py_ssize_t m, Py_ssize_t n,
                                    int dtype) noexcept nogil

# out = x * rstd * gamma with rstd = 1 / sqrt(mean(x**2) + eps); gamma may be NULL
cdef int rms_norm_kernel(const char* x, const char* gamma, char* out, char* rstd, Py_ssize_t m,
                         Py_ssize_t n, double eps, int dtype) noexcept nogil

# gamma, dx and dgamma may be NULL
cdef int rms_norm_backward_kernel(const char* grad, const char* x, const char* rstd,
                                  const char* gamma, char* dx, char* dgamma, Py_ssize_t m,
                                  Py_ssize_t n, int dtype) noexcept nogil
