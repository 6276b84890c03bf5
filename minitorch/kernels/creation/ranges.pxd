# Evenly spaced numbers on contiguous memory: out[i] = first + i * step.

cdef void fill_range_int64(long long* out, Py_ssize_t n, long long first,
                           long long step) noexcept nogil
# Computed in float64; the second one rounds to float32
cdef void fill_range_float64(double* out, Py_ssize_t n, double first, double step) noexcept nogil
cdef void fill_range_float32(float* out, Py_ssize_t n, double first, double step) noexcept nogil

# Computes the first `half` elements from `first` upwards and the others from `last` downwards, so that the last
# element is exactly `last`. Each is rounded once.
cdef void fill_spaced_float64(double* out, Py_ssize_t n, Py_ssize_t half, double first, double last,
                              double step) noexcept nogil
cdef void fill_spaced_float32(float* out, Py_ssize_t n, Py_ssize_t half, float first, float last,
                              float step) noexcept nogil
