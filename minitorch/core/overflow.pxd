# Sums and products of sizes that report an overflow of 64 bits.

cdef extern from *:
    bint add_overflows "__builtin_add_overflow"(Py_ssize_t a, Py_ssize_t b, Py_ssize_t* out) nogil
    bint mul_overflows "__builtin_mul_overflow"(Py_ssize_t a, Py_ssize_t b, Py_ssize_t* out) nogil
