# Cumulative sums, products, extremes and logsumexp along the middle of contiguous layouts (outer, n, inner).
# Input and output have the same dtype; every function returns non-zero if it does not support it. `out` may be
# the input.

# All dtypes but Bool; integers wrap around, floats are accumulated in float64
cdef int cumsum_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                       int dtype) noexcept nogil
cdef int cumprod_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil

# Real dtypes. `indices` receives int64 positions: of equal elements the last one, and after a nan the last nan.
cdef int cummax_kernel(char* input, char* values, char* indices, Py_ssize_t outer, Py_ssize_t n,
                       Py_ssize_t inner, int dtype) noexcept nogil
cdef int cummin_kernel(char* input, char* values, char* indices, Py_ssize_t outer, Py_ssize_t n,
                       Py_ssize_t inner, int dtype) noexcept nogil

# Float16, Float32, Float64
cdef int logcumsumexp_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n,
                             Py_ssize_t inner, int dtype) noexcept nogil
