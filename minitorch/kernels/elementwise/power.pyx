# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Powers of floating-point and complex numbers.

With a single exponent for all elements, 2, 3, 0.5, -0.5, -1, -2, 1 and 0 are computed by arithmetic. Any other
exponent runs the loop of the binary operator with a step of 0 for its second operand. As in PyTorch, an exponent
of 0.5 is the square root, so the power of minus infinity is nan.

Note [Extreme powers]
NumPy's loop for real powers falls back to scalar code for each element whose base is not positive or whose result
overflows or underflows, which takes thirty times as long. So it only gets elements that it handles fast.
`_ordinary` recognizes blocks that need no special treatment. In any other block, `_prepare` estimates the binary
logarithm `t` of each result. It passes the loop the absolute value of the base, or 1 to the power 1 if the result
is known to be 0, infinite or nan; `_finish` fills in these results and the signs. If a result is subnormal, the
loop computes its square root. The result of an element does not depend on its neighbours.
"""

from libc.math cimport INFINITY, NAN
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Complex64, Complex128, Float32, Float64
from minitorch.kernels.common.blocks cimport BLOCK, Block, run_floating, set_floating, set_floating_loops
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, square_root, truncated, with_sign

cdef Kernel[2] borrowed     # NumPy's loops for float and double


# ---- two operands

cdef inline int32_t _exponent(Real x) noexcept nogil:
    """Return the exponent of a normal positive number; -127 or -1023 below, 128 or 1024 for inf and nan."""
    cdef int32_t bits
    cdef int64_t long_bits
    if Real is float:
        memcpy(&bits, &x, 4)
        return (bits >> 23) - 127
    else:
        memcpy(&long_bits, &x, 8)
        return <int32_t>(long_bits >> 52) - 1023


cdef inline Real _significand(Real x) noexcept nogil:
    """Return the significand of a normal positive number, from 1 up to 2."""
    cdef int32_t bits
    cdef int64_t long_bits
    if Real is float:
        memcpy(&bits, &x, 4)
        bits = (bits & 0x7fffff) | 0x3f800000
        memcpy(&x, &bits, 4)
    else:
        memcpy(&long_bits, &x, 8)
        long_bits = (long_bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL
        memcpy(&x, &long_bits, 8)
    return x


cdef inline Real _rough_log2(Real x) noexcept nogil:
    """Return the binary logarithm of a number >= 0 or nan, with a relative error below 1e-5."""
    cdef Real smallest = <Real>(1.17549435082228751e-38 if Real is float
                                else 2.22507385850720138e-308)
    cdef Real scaled = x * <Real>18014398509481984.0 if x < smallest else x
    cdef Real m = _significand(scaled)
    cdef Real e = _exponent(scaled)
    cdef Real s, z
    e = e - <Real>54.0 if x < smallest else e
    e = e + <Real>1.0 if m > <Real>1.4142135 else e
    m = m * <Real>0.5 if m > <Real>1.4142135 else m
    s = (m - <Real>1.0) / (m + <Real>1.0)
    z = s * s
    s = e + <Real>2.8853900817779268 * s * (
        <Real>1.0 + z * (<Real>0.33333333333333333 + z * <Real>0.2))
    # infinity and nan are returned unchanged
    s = s if x < <Real>INFINITY else x
    return -<Real>INFINITY if x == 0 else s


cdef simd _ordinary(const Real* x, const Real* y, Py_ssize_t n, bint* every) noexcept nogil:
    #
    # log2 x
    # <=
    # exponent
    # + 1; an x that is 0, negative, subnormal, infinite or nan does not pass
    cdef Real limit = 126 if Real is float else 1022
    cdef Real e
    cdef int32_t strange = 0
    cdef Py_ssize_t i
    for i in range(n):
        e = _exponent(x[i])
        strange |= not (absolute(y[i]) * (absolute(e) + <Real>1.0) < limit)
        strange |= not (absolute(e) <= limit) | (x[i] < 0)
    every[0] = strange == 0


cdef simd _prepare(const Real* x, const Real* y, Real* base, Real* exponent, Real* t,
                   Py_ssize_t n) noexcept nogil:
    cdef Real lowest = -155 if Real is float else -1080
    cdef Real subnormal = -127 if Real is float else -1023
    cdef Real highest = 128.01 if Real is float else 1024.01
    cdef Real a, power
    cdef bint computed
    cdef Py_ssize_t i
    for i in range(n):
        a = absolute(x[i])
        power = y[i]
        t[i] = power * _rough_log2(a)
        computed = (t[i] > lowest) & (t[i] < highest)
        power = power * <Real>0.5 if t[i] <= subnormal else power
        base[i] = a if computed else <Real>1.0
        exponent[i] = power if computed else <Real>1.0


cdef simd _finish(const Real* x, const Real* y, const Real* t, const Real* root, Real* out,
                  Py_ssize_t n) noexcept nogil:
    cdef Real lowest = -155 if Real is float else -1080
    cdef Real subnormal = -127 if Real is float else -1023
    cdef Real highest = 128.01 if Real is float else 1024.01
    cdef Real r, half
    cdef bint whole, odd
    cdef Py_ssize_t i
    for i in range(n):
        r = root[i]
        r = r * r if t[i] <= subnormal else r
        r = <Real>0.0 if t[i] <= lowest else r
        r = <Real>INFINITY if t[i] >= highest else r
        r = t[i] if t[i] != t[i] else r
        half = y[i] * <Real>0.5
        whole = truncated(y[i]) == y[i]
        odd = whole & (truncated(half) != half)
        r = with_sign(r, x[i]) if odd else r
        r = <Real>NAN if (x[i] < 0) & (x[i] > -<Real>INFINITY) & (not whole) else r
        # powers of 1, infinite powers of -1, and zeroth powers, even of nan, are 1
        r = <Real>1.0 if (absolute(x[i]) == 1) & (absolute(y[i]) == <Real>INFINITY) else r
        out[i] = <Real>1.0 if (y[i] == 0) | (x[i] == 1) else r


cdef void powers(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Real base[BLOCK]
    cdef Real exponent[BLOCK]
    cdef Real t[BLOCK]
    cdef Py_ssize_t* steps = [sizeof(Real), sizeof(Real), sizeof(Real)]
    cdef Kernel* k = &borrowed[0 if Real is float else 1]
    cdef char** operands = [NULL, NULL, NULL]
    cdef Py_ssize_t start = 0, count
    cdef bint ordinary
    cdef const Real* x
    cdef const Real* y
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        x, y = args[0] + start, args[1] + start
        _ordinary(x, y, count, &ordinary)
        if ordinary:
            operands[0], operands[1], operands[2] = <char*>x, <char*>y, <char*>(args[2] + start)
            k.loop(operands, &count, steps, k.data)
        else:
            _prepare(x, y, base, exponent, t, count)
            operands[0], operands[1], operands[2] = <char*>base, <char*>exponent, <char*>base
            k.loop(operands, &count, steps, k.data)
            _finish(x, y, t, base, args[2] + start, count)
        start += count


# ---- one exponent for all elements

cdef simd _square(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] * x[i]


cdef simd _cube(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] * x[i] * x[i]


cdef simd _root(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = square_root(x[i])


cdef simd _inverse_root(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / square_root(x[i])


cdef simd _inverse(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / x[i]


cdef simd _inverse_square(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / (x[i] * x[i])


cdef simd _copy(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i]


cdef simd _ones(Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1


cdef void power(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef double exponent = params[0]
    cdef Real typed = <Real>exponent
    cdef Py_ssize_t* steps = [sizeof(Real), 0, sizeof(Real)]
    cdef char** operands = [<char*>args[0], <char*>&typed, <char*>args[1]]
    cdef Kernel* k = &binary_row(POW)[<int>(Float32 if Real is float else Float64)]
    if exponent == 2:
        _square(args[0], args[1], n)
    elif exponent == 3:
        _cube(args[0], args[1], n)
    elif exponent == 0.5:
        _root(args[0], args[1], n)
    elif exponent == -0.5:
        _inverse_root(args[0], args[1], n)
    elif exponent == -1:
        _inverse(args[0], args[1], n)
    elif exponent == -2:
        _inverse_square(args[0], args[1], n)
    elif exponent == 1:
        _copy(args[0], args[1], n)
    elif exponent == 0:
        _ones(args[1], n)
    else:
        k.loop(operands, &n, steps, k.data)


cdef void power_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>power[float], <Block>power[double])


cdef void complex64_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    cdef float complex exponent = (<double*>data)[0]
    _complex(args, n, steps, <char*>&exponent, (<double*>data)[0], Complex64)


cdef void complex128_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    cdef double complex exponent = (<double*>data)[0]
    _complex(args, n, steps, <char*>&exponent, exponent.real, Complex128)


cdef void _complex(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, char* exponent,
                   double value, int dtype) noexcept nogil:
    cdef Kernel* k
    cdef Py_ssize_t* power_steps = [steps[0], 0, steps[1]]
    cdef char** operands = [args[0], exponent, args[1]]
    if value == 2:
        k = &unary_row(SQUARE)[dtype]
        k.loop(args, n, steps, k.data)
    else:
        k = &binary_row(POW)[dtype]
        k.loop(operands, n, power_steps, k.data)


cdef void register() except *:
    """Register the kernels; the loops of POW must be NumPy's at that time."""
    cdef Kernel* row = binary_row(POW)
    borrowed[0], borrowed[1] = row[<int>Float32], row[<int>Float64]
    set_floating(row, 2, <Block>powers[float], <Block>powers[double], row[<int>Float32].cost)
    set_floating_loops(unary_row(POW_SCALAR), <Loop>power_loop[float], <Loop>power_loop[double], 4)
    set_kernel(&unary_row(POW_SCALAR)[<int>Complex64], complex64_loop, NULL, 400)
    set_kernel(&unary_row(POW_SCALAR)[<int>Complex128], complex128_loop, NULL, 600)
