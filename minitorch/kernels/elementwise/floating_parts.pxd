# The mantissa and the exponent of floating-point numbers.

from libc.stdint cimport int32_t

# x = mantissa * 2**exponent with 0.5 <= |mantissa| < 1, for n contiguous elements
cdef void frexp_kernel(char* x, char* mantissa, int32_t* exponent, Py_ssize_t n,
                       int dtype) noexcept nogil
