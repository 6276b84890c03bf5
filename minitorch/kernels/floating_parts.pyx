"""The mantissa and the exponent of floating-point numbers."""

from libc.math cimport frexp
from libc.stdint cimport int32_t

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.half cimport float_to_half, half_t, half_to_float

ctypedef fused value_t:
    half_t
    float
    double


cdef void _split(const value_t* x, value_t* mantissa, int32_t* exponent,
                 Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef int e = 0
    cdef double m
    for i in range(n):
        if value_t is half_t:
            m = frexp(half_to_float(x[i].bits), &e)
            mantissa[i].bits = float_to_half(<float>m)
        else:
            mantissa[i] = <value_t>frexp(x[i], &e)
        exponent[i] = e


cdef void frexp_kernel(char* x, char* mantissa, int32_t* exponent, Py_ssize_t n,
                       int dtype) noexcept nogil:
    if dtype == Float64:
        _split(<double*>x, <double*>mantissa, exponent, n)
    elif dtype == Float32:
        _split(<float*>x, <float*>mantissa, exponent, n)
    else:
        _split(<half_t*>x, <half_t*>mantissa, exponent, n)
