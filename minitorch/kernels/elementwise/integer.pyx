# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno -fwrapv
"""Integer division, power, shifts, sign and clamping.

Division is computed in floating point, which is exact here and has vector instructions: in float for 8 and 16
bits, in double for 32 bits, and for int64 if the numbers of a chunk are below 2**52. It never traps: x / 0 is 0
(the caller raises, see has_zero), and the smallest number divided by -1 wraps around to itself.

Powers with a negative exponent are 0, except for the bases 1 and -1. A shift by a negative number, or by the
width or more, gives the result of shifting out every bit.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

from minitorch.core.dtype cimport Bool, Int8, Int16, Int32, Int64, UInt8
from minitorch.kernels.common.blocks cimport BLOCK, Block, run_blocks, set_block
from minitorch.kernels.common.cast cimport cast_table
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Integer

cdef enum:
    FLOOR_QUOTIENT
    TRUNC_QUOTIENT
    FLOOR_REMAINDER
    TRUNC_REMAINDER

cdef int64_t SAFE = 4503599627370496        # 2**52


# ---- division

cdef inline Integer _result(int wanted, Integer a, Integer b, Integer q) noexcept nogil:
    """Return the `wanted` result from the truncated quotient q of a / b; b is not 0."""
    cdef Integer r = <Integer>(a - q * b)
    cdef bint down = (r != 0) & ((r < 0) != (b < 0))
    if wanted == TRUNC_QUOTIENT:
        return q
    if wanted == TRUNC_REMAINDER:
        return r
    if wanted == FLOOR_QUOTIENT:
        return <Integer>(q - down)
    return <Integer>(r + b) if down else r


cdef inline void _divide_narrow(int wanted, Integer** args, Py_ssize_t n) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef Integer* out = args[2]
    cdef Integer d, q, y
    cdef Py_ssize_t i
    for i in range(n):
        d = 1 if b[i] == 0 else b[i]
        if Integer is int32_t or Integer is int64_t:
            q = <Integer>(<double>a[i] / <double>d)
        else:
            q = <Integer><int32_t>(<float>a[i] / <float>d)
        if Integer is int32_t:
            q = -a[i] if d == -1 else q
        y = _result(wanted, a[i], d, q)
        out[i] = 0 if b[i] == 0 else y


cdef inline void _divide_wide(int wanted, int64_t** args, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t a, b
    for i in range(n):
        a = args[0][i]
        b = args[1][i]
        if b == 0:
            args[2][i] = 0
        elif b == -1:
            args[2][i] = _result(wanted, a, b, -a)
        else:
            args[2][i] = _result(wanted, a, b, a // b)      # C's division, which truncates


cdef simd _any_unsafe(const int64_t* a, const int64_t* b, Py_ssize_t n,
                      bint* unsafe) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t seen = 0
    for i in range(n):
        seen |= (<uint64_t>(a[i] + SAFE) | <uint64_t>(b[i] + SAFE)) >> 53
    unsafe[0] = seen != 0


cdef simd _floor_quotients(Integer** args, Py_ssize_t n) noexcept nogil:
    _divide_narrow(FLOOR_QUOTIENT, args, n)


cdef simd _trunc_quotients(Integer** args, Py_ssize_t n) noexcept nogil:
    _divide_narrow(TRUNC_QUOTIENT, args, n)


cdef simd _floor_remainders(Integer** args, Py_ssize_t n) noexcept nogil:
    _divide_narrow(FLOOR_REMAINDER, args, n)


cdef simd _trunc_remainders(Integer** args, Py_ssize_t n) noexcept nogil:
    _divide_narrow(TRUNC_REMAINDER, args, n)


cdef inline void _divide(int wanted, Integer** args, Py_ssize_t n) noexcept nogil:
    cdef Integer* chunk[3]
    cdef Py_ssize_t start = 0, count
    cdef bint unsafe = False
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        chunk[0] = args[0] + start
        chunk[1] = args[1] + start
        chunk[2] = args[2] + start
        start += count
        if Integer is int64_t:
            _any_unsafe(chunk[0], chunk[1], count, &unsafe)
            if unsafe:
                _divide_wide(wanted, chunk, count)
                continue
        if wanted == FLOOR_QUOTIENT:
            _floor_quotients(chunk, count)
        elif wanted == TRUNC_QUOTIENT:
            _trunc_quotients(chunk, count)
        elif wanted == FLOOR_REMAINDER:
            _floor_remainders(chunk, count)
        else:
            _trunc_remainders(chunk, count)


cdef void floor_divide(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    _divide(FLOOR_QUOTIENT, args, n)


cdef void trunc_divide(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    _divide(TRUNC_QUOTIENT, args, n)


cdef void remainder(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    _divide(FLOOR_REMAINDER, args, n)


cdef void fmod(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    _divide(TRUNC_REMAINDER, args, n)


# ---- powers

cdef inline Integer _power(Integer base, Integer exponent) noexcept nogil:
    cdef Integer result = 1
    if exponent < 0:
        if base == 1:
            return 1
        if base == <Integer>-1:
            return <Integer>-1 if exponent & 1 else 1
        return 0
    while exponent:
        if exponent & 1:
            result = <Integer>(result * base)
        exponent >>= 1
        base = <Integer>(base * base)
    return result


cdef void power(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        args[2][i] = _power(args[0][i], args[1][i])


cdef simd _squares(const Integer* x, Integer* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <Integer>(x[i] * x[i])


cdef simd _cubes(const Integer* x, Integer* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <Integer>(x[i] * x[i] * x[i])


cdef void power_scalar(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef Py_ssize_t i
    cdef Integer exponent = <Integer><int64_t>params[0]
    if exponent == 2:
        _squares(args[0], args[1], n)
    elif exponent == 3:
        _cubes(args[0], args[1], n)
    else:
        for i in range(n):
            args[1][i] = _power(args[0][i], exponent)


# ---- bits and signs

cdef simd left_shift(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef Integer* out = args[2]
    cdef Py_ssize_t i
    cdef int width = 8 * sizeof(Integer)
    cdef Integer shifted
    for i in range(n):
        shifted = <Integer>(a[i] << (b[i] & (width - 1)))
        out[i] = 0 if (b[i] < 0) | (b[i] >= width) else shifted


cdef simd right_shift(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef Integer* out = args[2]
    cdef Py_ssize_t i
    cdef int width = 8 * sizeof(Integer)
    cdef Integer shifted, most
    for i in range(n):
        shifted = <Integer>(a[i] >> (b[i] & (width - 1)))
        most = <Integer>-1 if a[i] < 0 else 0
        out[i] = most if (b[i] < 0) | (b[i] >= width) else shifted


cdef simd sign(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef Integer* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <Integer>((x[i] > 0) - (x[i] < 0))


# NumPy's loop reads adjacent elements if the input's stride is 16 or 64 bytes and the output has gaps.
cdef simd neg(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef Integer* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <Integer>(-x[i])


cdef simd relu(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef Integer* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 0 if x[i] < 0 else x[i]


# ---- clamping and the like, with parameters

cdef inline Integer _saturated(double value, const Integer* _) noexcept nogil:
    """Return the number of the type that is nearest to value."""
    cdef Integer low, high
    if Integer is uint8_t:
        low, high = 0, 255
    else:
        low = <Integer>(<int64_t>1 << (8 * sizeof(Integer) - 1))
        high = <Integer>~low
    # double(high) of int64 is 2**63, one more than high
    return high if value >= <double>high else low if value <= <double>low else <Integer>value


cdef simd clamp(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef Integer* out = args[1]
    cdef Py_ssize_t i
    cdef Integer low = _saturated(params[0], x), high = _saturated(params[1], x), y
    for i in range(n):
        y = low if x[i] < low else x[i]
        out[i] = high if y > high else y


cdef simd threshold(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef Integer* out = args[1]
    cdef Py_ssize_t i
    cdef Integer limit = _saturated(params[0], x), value = _saturated(params[1], x)
    for i in range(n):
        out[i] = value if x[i] <= limit else x[i]


cdef simd clamp_tensor(Integer** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Integer* x = args[0]
    cdef const Integer* low = args[1]
    cdef const Integer* high = args[2]
    cdef Integer* out = args[3]
    cdef Py_ssize_t i
    cdef Integer y
    for i in range(n):
        y = low[i] if x[i] < low[i] else x[i]
        out[i] = high[i] if y > high[i] else y


cdef simd add_alpha(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef Integer* out = args[2]
    cdef Py_ssize_t i
    cdef Integer alpha = <Integer><int64_t>params[0]
    for i in range(n):
        out[i] = <Integer>(a[i] + alpha * b[i])


cdef simd sub_alpha(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef Integer* out = args[2]
    cdef Py_ssize_t i
    cdef Integer alpha = <Integer><int64_t>params[0]
    for i in range(n):
        out[i] = <Integer>(a[i] - alpha * b[i])


cdef simd addcmul(Integer** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Integer* a = args[0]
    cdef const Integer* b = args[1]
    cdef const Integer* c = args[2]
    cdef Integer* out = args[3]
    cdef Py_ssize_t i
    cdef Integer value = <Integer><int64_t>params[0]
    for i in range(n):
        out[i] = <Integer>(a[i] + value * b[i] * c[i])


cdef inline void _run(Block block, int inputs, Integer** args, const Py_ssize_t* n,
                      const Py_ssize_t* steps, void* params) noexcept nogil:
    cdef int size = sizeof(Integer)
    cdef int* sizes = [size, size, size, size]
    run_blocks(block, inputs, sizes, <char**>args, n[0], steps, <double*>params)


cdef void power_scalar_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                            void* data) noexcept nogil:
    _run(<Block>power_scalar[Integer], 1, args, n, steps, data)


cdef void clamp_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    _run(<Block>clamp[Integer], 1, args, n, steps, data)


cdef void threshold_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    _run(<Block>threshold[Integer], 1, args, n, steps, data)


cdef void add_alpha_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    _run(<Block>add_alpha[Integer], 2, args, n, steps, data)


cdef void sub_alpha_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    _run(<Block>sub_alpha[Integer], 2, args, n, steps, data)


cdef void addcmul_loop(Integer** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* data) noexcept nogil:
    _run(<Block>addcmul[Integer], 3, args, n, steps, data)


# ---- registration

cdef void _register(int dtype, Integer** _) except *:
    cdef int size = sizeof(Integer), op
    cdef Kernel* copy = &cast_table[dtype][dtype]
    set_block(&binary_row(FLOOR_DIVIDE)[dtype], <Block>floor_divide[Integer], 2, size, size, 2)
    set_block(&binary_row(TRUNC_DIVIDE)[dtype], <Block>trunc_divide[Integer], 2, size, size, 2)
    set_block(&binary_row(REMAINDER)[dtype], <Block>remainder[Integer], 2, size, size, 2)
    set_block(&binary_row(FMOD)[dtype], <Block>fmod[Integer], 2, size, size, 2)
    set_block(&binary_row(POW)[dtype], <Block>power[Integer], 2, size, size, 12)
    set_block(&binary_row(LEFT_SHIFT)[dtype], <Block>left_shift[Integer], 2, size, size, 1)
    set_block(&binary_row(RIGHT_SHIFT)[dtype], <Block>right_shift[Integer], 2, size, size, 1)
    set_block(&unary_row(NEG)[dtype], <Block>neg[Integer], 1, size, size, 1)
    set_block(&unary_row(SIGN)[dtype], <Block>sign[Integer], 1, size, size, 1)
    set_block(&unary_row(SGN)[dtype], <Block>sign[Integer], 1, size, size, 1)
    set_block(&unary_row(RELU)[dtype], <Block>relu[Integer], 1, size, size, 1)
    set_block(&ternary_row(CLAMP_TENSOR)[dtype], <Block>clamp_tensor[Integer], 3, size, size, 1)
    set_kernel(&unary_row(POW_SCALAR)[dtype], <Loop>power_scalar_loop[Integer], NULL, 7)
    set_kernel(&unary_row(CLAMP)[dtype], <Loop>clamp_loop[Integer], NULL, 1)
    set_kernel(&unary_row(THRESHOLD)[dtype], <Loop>threshold_loop[Integer], NULL, 1)
    set_kernel(&binary_row(ADD_ALPHA)[dtype], <Loop>add_alpha_loop[Integer], NULL, 2)
    set_kernel(&binary_row(SUB_ALPHA)[dtype], <Loop>sub_alpha_loop[Integer], NULL, 2)
    set_kernel(&ternary_row(ADDCMUL)[dtype], <Loop>addcmul_loop[Integer], NULL, 2)
    for op in (FLOOR, CEIL, ROUND, TRUNC):
        set_kernel(&unary_row(op)[dtype], copy.loop, copy.data, copy.cost)


cdef void register() except *:
    cdef int op
    cdef Kernel* copy = &cast_table[<int>Bool][<int>Bool]
    _register[uint8_t](UInt8, NULL)
    _register[int8_t](Int8, NULL)
    _register[int16_t](Int16, NULL)
    _register[int32_t](Int32, NULL)
    _register[int64_t](Int64, NULL)
    for op in (SIGN, SGN, CONJ):
        set_kernel(&unary_row(op)[<int>Bool], copy.loop, copy.data, copy.cost)
