# batch_norm over contiguous (n, c, s) arrays: s is the product of the spatial sizes, 1 if there are
# none. dtype is Float32 or Float64 and that of every array, those per channel having c elements;
# the functions return non-zero for another dtype or when scratch memory is short. Pointers that may
# be NULL say so. n * s must not be 0 when `training`.

# out = (x - mean) * invstd * gamma + beta with invstd = 1 / sqrt(var + eps).
# training: mean and biased variance are those of the batch, and the running ones (may be NULL) move
# towards them by `momentum`, the variance unbiased; else the running ones are used.
# gamma, beta may be NULL. save_mean and save_invstd get what was used; may be NULL unless training.
cdef int batch_norm_kernel(const char* x, const char* gamma, const char* beta, char* running_mean,
                           char* running_var, bint training, double momentum, double eps,
                           char* out, char* save_mean, char* save_invstd, Py_ssize_t n,
                           Py_ssize_t c, Py_ssize_t s, int dtype) noexcept nogil

# mean and invstd are the saved ones if training, else running_mean and 1 / sqrt(running_var + eps),
# which the caller may leave to the kernel: with invstd NULL it is taken from running_var.
# gamma may be NULL, and so may each of the results dx (n, c, s), dgamma, dbeta (c,).
cdef int batch_norm_backward_kernel(const char* grad, const char* x, const char* gamma,
                                    const char* mean, const char* invstd, const char* running_var,
                                    bint training, double eps, char* dx, char* dgamma, char* dbeta,
                                    Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                    int dtype) noexcept nogil
