"""The mantissa and the exponent of floating-point numbers."""

from libc.math cimport frexp
from libc.stdint cimport int32_t

from minitorch.core.dtype cimport Float16, Float32, Float64
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.types cimport Floating


cdef void _split(const Floating* x, Floating* mantissa, int32_t* exponent,
                 Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef int e = 0
    cdef double m
    for i in range(n):
        if Floating in narrow_t:
            m = frexp(to_float(x[i]), &e)
            store_float(mantissa + i, <float>m)
        else:
            mantissa[i] = <Floating>frexp(x[i], &e)
        exponent[i] = e


cdef void frexp_kernel(char* x, char* mantissa, int32_t* exponent, Py_ssize_t n,
                       int dtype) noexcept nogil:
    if dtype == Float64:
        _split(<double*>x, <double*>mantissa, exponent, n)
    elif dtype == Float32:
        _split(<float*>x, <float*>mantissa, exponent, n)
    elif dtype == Float16:
        _split(<half_t*>x, <half_t*>mantissa, exponent, n)
    else:
        _split(<bfloat16_t*>x, <bfloat16_t*>mantissa, exponent, n)
