# The squared error between two contiguous arrays of n elements, Float32 or Float64, and its
# derivative, each in one pass over memory.

# sum((a - b)**2); n may be 0
cdef double squared_error_sum(const char* a, const char* b, Py_ssize_t n, int dtype) noexcept nogil
# out = (a - b) * factor; out may be a or b
cdef void scaled_difference(const char* a, const char* b, char* out, Py_ssize_t n, double factor,
                            int dtype) noexcept nogil
