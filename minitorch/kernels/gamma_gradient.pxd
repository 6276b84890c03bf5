# How a sample of the gamma distribution moves with the distribution's parameter.

# out[i] = dx/da of a sample x of Gamma(a, 1), of n elements; a > 0
cdef void standard_gamma_grad(const double* a, const double* x, double* out,
                              Py_ssize_t n) noexcept nogil
