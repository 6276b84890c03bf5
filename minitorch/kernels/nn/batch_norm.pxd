# batch_norm over contiguous (n, c, s) arrays, where s is the product of the spatial sizes, or 1 if there are
# none. dtype is Float32 or Float64 and applies to every array; arrays per channel have c elements. The functions
# return non-zero for another dtype or if scratch memory is short. Pointers may be NULL only where noted. n * s
# must not be 0 when `training`.

# out = (x - mean) * invstd * gamma + beta with invstd = 1 / sqrt(var + eps).
# In training, mean and biased variance are those of the batch, and the running statistics (may be NULL) move
# towards them by `momentum`, with the unbiased variance. Otherwise the running statistics are used.
# gamma and beta may be NULL. save_mean and save_invstd receive the statistics that were used; they may be NULL
# unless training.
cdef int batch_norm_kernel(const char* x, const char* gamma, const char* beta, char* running_mean,
                           char* running_var, bint training, double momentum, double eps,
                           char* out, char* save_mean, char* save_invstd, Py_ssize_t n,
                           Py_ssize_t c, Py_ssize_t s, int dtype) noexcept nogil

# mean and invstd are the saved ones in training, else running_mean and 1 / sqrt(running_var + eps). If invstd is
# NULL, the kernel computes it from running_var. gamma may be NULL, and so may each of the results dx (n, c, s),
# dgamma and dbeta (c,).
cdef int batch_norm_backward_kernel(const char* grad, const char* x, const char* gamma,
                                    const char* mean, const char* invstd, const char* running_var,
                                    bint training, double eps, char* dx, char* dgamma, char* dbeta,
                                    Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                    int dtype) noexcept nogil
