# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Comparisons, logical operators and predicates: all operators whose result is Bool.

These are our own loops because NumPy's take five times as long for one element and its logical ones are not
vectorised. They are for floating-point numbers only. Those for integers, which NumPy has vectorised, and for
complex numbers are NumPy's (ufunc_loops.pyx).
"""

from libc.stdint cimport uint8_t

from minitorch.kernels.common.blocks cimport Block, set_floating_predicate
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, with_sign


cdef simd eq(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] == b[i]


cdef simd ne(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] != b[i]


cdef simd lt(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] < b[i]


cdef simd le(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] <= b[i]


cdef simd gt(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] > b[i]


cdef simd ge(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = a[i] >= b[i]


cdef simd logical_and(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (a[i] != 0) & (b[i] != 0)


cdef simd logical_or(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (a[i] != 0) | (b[i] != 0)


cdef simd logical_xor(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* a = args[0]
    cdef const Real* b = args[1]
    cdef uint8_t* out = <uint8_t*>args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (a[i] != 0) ^ (b[i] != 0)


cdef simd logical_not(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef uint8_t* out = <uint8_t*>args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] == 0


cdef simd isnan(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef uint8_t* out = <uint8_t*>args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] != x[i]


cdef simd isinf(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef uint8_t* out = <uint8_t*>args[1]
    cdef Py_ssize_t i
    cdef Real largest = <Real>(3.4028234663852886e38 if Real is float
                               else 1.7976931348623157e308)
    for i in range(n):
        out[i] = absolute(x[i]) > largest


cdef simd isfinite(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef uint8_t* out = <uint8_t*>args[1]
    cdef Py_ssize_t i
    cdef Real largest = <Real>(3.4028234663852886e38 if Real is float
                               else 1.7976931348623157e308)
    for i in range(n):
        out[i] = absolute(x[i]) <= largest


cdef simd signbit(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef uint8_t* out = <uint8_t*>args[1]
    cdef Py_ssize_t i
    cdef Real one = 1
    for i in range(n):
        out[i] = with_sign(one, x[i]) < 0


cdef void _set(Kernel* row, int inputs, Block f32, Block f64) except *:
    set_floating_predicate(row, inputs, f32, f64, 1)


cdef void register() except *:
    _set(binary_row(EQ), 2, <Block>eq[float], <Block>eq[double])
    _set(binary_row(NE), 2, <Block>ne[float], <Block>ne[double])
    _set(binary_row(LT), 2, <Block>lt[float], <Block>lt[double])
    _set(binary_row(LE), 2, <Block>le[float], <Block>le[double])
    _set(binary_row(GT), 2, <Block>gt[float], <Block>gt[double])
    _set(binary_row(GE), 2, <Block>ge[float], <Block>ge[double])
    _set(binary_row(LOGICAL_AND), 2, <Block>logical_and[float], <Block>logical_and[double])
    _set(binary_row(LOGICAL_OR), 2, <Block>logical_or[float], <Block>logical_or[double])
    _set(binary_row(LOGICAL_XOR), 2, <Block>logical_xor[float], <Block>logical_xor[double])
    _set(unary_row(LOGICAL_NOT), 1, <Block>logical_not[float], <Block>logical_not[double])
    _set(unary_row(ISNAN), 1, <Block>isnan[float], <Block>isnan[double])
    _set(unary_row(ISINF), 1, <Block>isinf[float], <Block>isinf[double])
    _set(unary_row(ISFINITE), 1, <Block>isfinite[float], <Block>isfinite[double])
    _set(unary_row(SIGNBIT), 1, <Block>signbit[float], <Block>signbit[double])
