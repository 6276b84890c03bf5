# The derivative of a sample of the gamma distribution with respect to the distribution's parameter.

# out[i] = dx/da for a sample x of Gamma(a, 1), for n elements; a > 0
cdef void standard_gamma_grad(const double* a, const double* x, double* out,
                              Py_ssize_t n) noexcept nogil
