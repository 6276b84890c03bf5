# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""The special functions.

``erf`` is a polynomial of our own; the rare ones are borrowed from SciPy, whose loops are scalar.
"""

import scipy.special

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.blocks cimport BLOCK, Block, set_floating
from minitorch.kernels.simd cimport simd
from minitorch.kernels.table cimport *
from minitorch.kernels.ufunc_loops cimport borrow
from minitorch.kernels.vmath cimport Real, erf_


cdef simd erf(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = erf_(x[i])


cdef void _apply(int op, const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    """The unary loop of an operator over contiguous elements."""
    cdef Kernel* k = &unary_row(op)[<int>(Float32 if Real is float else Float64)]
    cdef Py_ssize_t* steps = [sizeof(Real), sizeof(Real)]
    cdef char** operands = [<char*>x, <char*>out]
    k.loop(operands, &n, steps, k.data)


cdef simd _x_times(const Real* x, const Real* log, const Real* y, Real* out,
                   Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real product, zero = 0
    for i in range(n):
        product = x[i] * log[i]
        out[i] = zero if (x[i] == 0) & (y[i] == y[i]) else product


cdef inline void _xlog(int op, Real** args, Py_ssize_t n) noexcept nogil:
    cdef Real log[BLOCK]
    cdef Py_ssize_t start = 0, count
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        _apply(op, args[1] + start, log, count)
        _x_times(args[0] + start, log, args[1] + start, args[2] + start, count)
        start += count


cdef void xlogy(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _xlog(LOG, args, n)


cdef void xlog1py(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    _xlog(LOG1P, args, n)


# operator, ufunc, cost
_BORROWED = [
    (ERFC, scipy.special.erfc, 80),
    (ERFINV, scipy.special.erfinv, 130),
    (LGAMMA, scipy.special.gammaln, 160),
    (DIGAMMA, scipy.special.psi, 2000),
]


cdef void register() except *:
    cdef int op, dtype, cost
    for op, ufunc, cost in _BORROWED:
        for dtype in (Float32, Float64):
            if not borrow(&unary_row(op)[dtype], ufunc, dtype, dtype, cost):
                raise ImportError(f"this SciPy's {ufunc.__name__} has no loop for type {dtype}")
    set_floating(unary_row(ERF), 1, <Block>erf[float], <Block>erf[double], 5)
    set_floating(binary_row(XLOGY), 2, <Block>xlogy[float], <Block>xlogy[double], 4)
    set_floating(binary_row(XLOG1PY), 2, <Block>xlog1py[float], <Block>xlog1py[double], 4)
