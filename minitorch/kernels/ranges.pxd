# Evenly spaced numbers on contiguous memory: out[i] = first + i * step.

cdef void fill_range_int64(long long* out, Py_ssize_t n, long long first,
                           long long step) noexcept nogil
# Computed in float64; rounded to float32 in the second
cdef void fill_range_float64(double* out, Py_ssize_t n, double first, double step) noexcept nogil
cdef void fill_range_float32(float* out, Py_ssize_t n, double first, double step) noexcept nogil
