"""uint16, uint32 and uint64, complex32, and the 8-bit floating-point types.

Interface: ``register``, which fills their rows of the tables.

Note [Carriers]
Each of these types has a carrier that can hold its values: int32 for uint16, int64 for uint32, complex64 for
complex32, float32 for the 8-bit types. One loop converts to the carrier and one back. A conversion to any other
type chains two kernels over blocks on the stack, so no kernels for pairs of types are needed. An operator
converts its blocks to the carrier, runs the carrier's kernel and converts back, like float16 (Note [Widened
kernels]). The unsigned types support only operators that give the same bits as for the signed type of the same
width, and use its kernels. No signed type holds uint64; its conversions to integers use the kernels of int64 too,
and it has loops to the floating types and from float64.

These types have only the operators that they have in PyTorch: if the table has no kernel, the caller raises.

References
----------
The types of 8 bits are those of "FP8 Formats for Deep Learning" (Micikevicius et al., 2022), of ONNX (``fnuz``:
no negative zero, one nan, no infinity) and of the OCP Microscaling specification (``e8m0fnu``: powers of two).
"""

from libc.math cimport INFINITY, NAN, ldexp
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t

from minitorch.core.dtype cimport *
from minitorch.kernels.common.blocks cimport BLOCK, MAX_INPUTS
from minitorch.kernels.common.cast cimport cast_table
from minitorch.kernels.common.half cimport bits_of_float, float_to_half, half_to_float
from minitorch.kernels.common.table cimport *


# ---- to the carriers and back

cdef void _from_uint16(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<int32_t*>(args[1] + i * steps[1]))[0] = (<uint16_t*>(args[0] + i * steps[0]))[0]


cdef void _from_uint32(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<int64_t*>(args[1] + i * steps[1]))[0] = (<uint32_t*>(args[0] + i * steps[0]))[0]


cdef void _uint64_to_float(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<float*>(args[1] + i * steps[1]))[0] = <float>(<uint64_t*>(args[0] + i * steps[0]))[0]


cdef void _uint64_to_double(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<double*>(args[1] + i * steps[1]))[0] = <double>(<uint64_t*>(args[0] + i * steps[0]))[0]


cdef void _double_to_uint64(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    # negative numbers wrap around
    cdef Py_ssize_t i
    cdef double x
    for i in range(n[0]):
        x = (<double*>(args[0] + i * steps[0]))[0]
        (<uint64_t*>(args[1] + i * steps[1]))[0] = (
            <uint64_t><int64_t>x if x < 9223372036854775808.0
            else <uint64_t><int64_t>(x - 9223372036854775808.0) ^ (<uint64_t>1 << 63))


cdef void _from_complex32(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint16_t* x
    cdef float* y
    for i in range(n[0]):
        x = <uint16_t*>(args[0] + i * steps[0])
        y = <float*>(args[1] + i * steps[1])
        y[0] = half_to_float(x[0])
        y[1] = half_to_float(x[1])


cdef void _to_complex32(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    cdef float* x
    cdef uint16_t* y
    for i in range(n[0]):
        x = <float*>(args[0] + i * steps[0])
        y = <uint16_t*>(args[1] + i * steps[1])
        y[0] = float_to_half(x[0])
        y[1] = float_to_half(x[1])


# ---- the types of 8 bits

cdef struct Format:
    int mantissa                # bits of the fraction
    int bias
    uint32_t largest            # the largest finite number
    uint32_t overflow           # the code for larger numbers
    uint32_t nan                # the code of nan, with PyTorch's sign
    bint finite                 # fnuz: neither infinity nor negative zero
    float[256] values

cdef Format[5] _formats


cdef inline uint8_t _encode(const Format* f, float x) noexcept nogil:
    """Return the code of x, rounded to nearest even."""
    cdef uint32_t bits = bits_of_float(x)
    cdef uint32_t magnitude = bits & 0x7fffffff, sign = (bits >> 24) & 0x80, code
    cdef int shift = 23 - f.mantissa
    cdef double scaled
    if magnitude > 0x7f800000:
        return <uint8_t>(f.nan if f.finite else sign | f.nan)
    if (magnitude >> 23) + f.bias > 127:
        code = ((magnitude + (<uint32_t>1 << (shift - 1)) - 1 + (magnitude >> shift & 1)) >> shift)
        code -= <uint32_t>(127 - f.bias) << f.mantissa
        code = f.overflow if code > f.largest else code
    else:
        # below the smallest normal number: round to a multiple of the smallest subnormal by adding 2**52
        scaled = ldexp(<double>x if x >= 0 else -<double>x, f.bias - 1 + f.mantissa)
        code = <uint32_t>(scaled + 4503599627370496.0 - 4503599627370496.0)
    if f.finite and (code == 0 or code == f.nan):
        return <uint8_t>code
    return <uint8_t>(sign | code)


cdef inline uint8_t _exponent_of(float x) noexcept nogil:
    """Return x as float8_e8m0fnu: the exponent of the nearest power of two, without the sign."""
    cdef uint32_t bits = bits_of_float(x)
    cdef uint32_t exponent = (bits >> 23) & 0xff, fraction = bits & 0x7fffff
    if exponent == 0xff:
        return 0xff
    # halves are rounded up, except the one below the smallest normal number
    if fraction > 0x400000 or fraction == 0x400000 and exponent > 0:
        exponent += 1
    return <uint8_t>exponent


cdef void _from_float8(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* format) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<float*>(args[1] + i * steps[1]))[0] = (<Format*>format).values[(<uint8_t*>(args[0] + i * steps[0]))[0]]


cdef void _to_float8(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* format) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<uint8_t*>(args[1] + i * steps[1]))[0] = _encode(<Format*>format, (<float*>(args[0] + i * steps[0]))[0])


cdef void _to_exponents(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n[0]):
        (<uint8_t*>(args[1] + i * steps[1]))[0] = _exponent_of((<float*>(args[0] + i * steps[0]))[0])


cdef void _register_float8(int dtype, int mantissa, int bias, int largest, int overflow, int nan, bint finite):
    cdef Format* f = &_formats[dtype - Float8E8m0fnu]
    cdef int code, magnitude, exponent
    cdef double value
    f.mantissa = mantissa
    f.bias = bias
    f.largest = largest
    f.overflow = overflow
    f.nan = nan
    f.finite = finite
    for code in range(256):
        magnitude = code & 0x7f
        exponent = magnitude >> mantissa
        value = ldexp(magnitude & ((1 << mantissa) - 1) | (1 << mantissa if exponent else 0),
                      (exponent if exponent else 1) - bias - mantissa)
        if finite and code == nan or not finite and magnitude > largest:
            value = INFINITY if not finite and magnitude == overflow and overflow != nan else NAN
        f.values[code] = <float>(-value if code > 0x7f else value)
    set_kernel(&cast_table[dtype][<int>Float32], _from_float8, f, 3)
    set_kernel(&cast_table[<int>Float32][dtype], _to_float8, f, 20)


cdef void _register_exponents():
    cdef Format* f = &_formats[0]
    cdef int code
    for code in range(255):
        f.values[code] = <float>ldexp(1, code - 127)
    f.values[255] = NAN
    set_kernel(&cast_table[<int>Float8E8m0fnu][<int>Float32], _from_float8, f, 3)
    set_kernel(&cast_table[<int>Float32][<int>Float8E8m0fnu], _to_exponents, NULL, 5)


# ---- conversions

cdef struct Chain:
    Kernel* first
    Kernel* second
    int size                    # bytes of an intermediate element

cdef Chain[NUM_SCALAR_TYPES][NUM_SCALAR_TYPES] _chains


cdef void _chain_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* chain) noexcept nogil:
    cdef Chain* c = <Chain*>chain
    cdef char buffer[BLOCK * 16]
    cdef char* pointers[2]
    cdef Py_ssize_t[2] into
    cdef Py_ssize_t[2] out
    cdef Py_ssize_t start = 0, count
    into[0], into[1] = steps[0], c.size
    out[0], out[1] = c.size, steps[1]
    while start < n[0]:
        count = n[0] - start if n[0] - start < BLOCK else BLOCK
        pointers[0], pointers[1] = args[0] + start * steps[0], buffer
        c.first.loop(pointers, &count, into, c.first.data)
        pointers[0], pointers[1] = buffer, args[1] + start * steps[1]
        c.second.loop(pointers, &count, out, c.second.data)
        start += count


cdef void _chain(int source, int carrier, int target):
    cdef Chain* c = &_chains[source][target]
    if cast_table[source][target].loop != NULL:
        return
    c.first = &cast_table[source][carrier]
    c.second = &cast_table[carrier][target]
    c.size = <int>itemsizes[carrier]
    set_kernel(&cast_table[source][target], _chain_loop, c, c.first.cost + c.second.cost)


cdef list _PLAIN = [UInt8, Int8, Int16, Int32, Int64, Bool, Float16, BFloat16, Float32, Float64, Complex64, Complex128]
cdef list _CARRIED = [(UInt16, Int32), (UInt32, Int64), (UInt64, Float32), (Complex32, Complex64),
                      (Float8E5m2, Float32), (Float8E4m3fn, Float32), (Float8E5m2fnuz, Float32),
                      (Float8E4m3fnuz, Float32), (Float8E8m0fnu, Float32)]


cdef void _register_casts() except *:
    cdef int dtype, carrier, other
    set_kernel(&cast_table[<int>UInt16][<int>Int32], _from_uint16, NULL, 3)
    set_kernel(&cast_table[<int>UInt32][<int>Int64], _from_uint32, NULL, 3)
    # the lower bits equal those of the signed type
    cast_table[<int>Int32][<int>UInt16] = cast_table[<int>Int32][<int>Int16]
    cast_table[<int>Int64][<int>UInt32] = cast_table[<int>Int64][<int>Int32]
    set_kernel(&cast_table[<int>UInt64][<int>Float32], _uint64_to_float, NULL, 5)
    set_kernel(&cast_table[<int>UInt64][<int>Float64], _uint64_to_double, NULL, 5)
    set_kernel(&cast_table[<int>Float64][<int>UInt64], _double_to_uint64, NULL, 5)
    for dtype in (UInt8, Int8, Int16, Int32, Int64, Bool):
        cast_table[<int>UInt64][dtype] = cast_table[<int>Int64][dtype]
        cast_table[dtype][<int>UInt64] = cast_table[dtype][<int>Int64]
    _chain(UInt64, Float64, Complex128)
    set_kernel(&cast_table[<int>Complex32][<int>Complex64], _from_complex32, NULL, 5)
    set_kernel(&cast_table[<int>Complex64][<int>Complex32], _to_complex32, NULL, 10)
    for dtype, carrier in _CARRIED:
        for other in _PLAIN:
            _chain(dtype, carrier, other)
            _chain(other, Float64 if dtype == UInt64 else carrier, dtype)
    for other in (UInt16, UInt32):
        cast_table[<int>UInt64][other] = cast_table[<int>Int64][other]
    for dtype, carrier in _CARRIED:
        for other, _ in _CARRIED:
            if other != dtype:
                _chain(dtype, carrier, other)


# ---- operators

cdef struct Carrier:
    Kernel* widen
    Kernel* narrow              # the kernel that narrows the results
    int wide                    # bytes per element of the carrier
    int wide_result

cdef enum:
    MAX_CARRIED = 64            # maximum number of operators

cdef Widened[MAX_CARRIED] _widened
cdef Carrier[MAX_CARRIED] _carriers
cdef int _used = 0


cdef void _carried_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* widened) noexcept nogil:
    cdef Widened* w = <Widened*>widened
    cdef Carrier* c = <Carrier*>w.carrier
    cdef char buffers[MAX_INPUTS + 1][BLOCK * 16]
    cdef char* pointers[MAX_INPUTS + 1]
    cdef char* pair[2]
    cdef Py_ssize_t[MAX_INPUTS + 1] wide_steps
    cdef Py_ssize_t[2] pair_steps
    cdef Py_ssize_t start = 0, count
    cdef int k, out = w.inputs
    for k in range(out):
        wide_steps[k] = c.wide
    wide_steps[out] = steps[out] if w.to_bool else c.wide_result
    while start < n[0]:
        count = n[0] - start if n[0] - start < BLOCK else BLOCK
        for k in range(out):
            pair[0], pair[1] = args[k] + start * steps[k], buffers[k]
            pair_steps[0], pair_steps[1] = steps[k], c.wide
            c.widen.loop(pair, &count, pair_steps, c.widen.data)
            pointers[k] = buffers[k]
        pointers[out] = args[out] + start * steps[out] if w.to_bool else buffers[out]
        w.kernel.loop(pointers, &count, wide_steps, w.data)
        if not w.to_bool:
            pair[0], pair[1] = buffers[out], args[out] + start * steps[out]
            pair_steps[0], pair_steps[1] = c.wide_result, steps[out]
            c.narrow.loop(pair, &count, pair_steps, c.narrow.data)
        start += count


cdef int _carry(Kernel* row, int dtype, int carrier, int inputs, int result) except -1:
    """Set the kernel that computes an operator in the carrier; `result` is the dtype of the results."""
    global _used
    if _used == MAX_CARRIED:
        raise RuntimeError("the pool of carried operators is full: raise MAX_CARRIED")
    cdef Widened* w = &_widened[_used]
    cdef Carrier* c = &_carriers[_used]
    cdef int wide_result = carrier if result == dtype else Float32
    _used += 1
    w.kernel = &row[carrier]
    w.data = row[carrier].data
    w.inputs = inputs
    w.to_bool = result == Bool
    w.carrier = c
    c.widen = &cast_table[dtype][carrier]
    c.narrow = &cast_table[wide_result][result]
    c.wide = <int>itemsizes[carrier]
    c.wide_result = <int>itemsizes[wide_result]
    set_kernel(&row[dtype], _carried_loop, w, row[carrier].cost + 10 * (inputs + 1))
    return 0


cdef int _register_unsigned(int dtype, int signed) except -1:
    cdef int op
    for op in (MUL, EQ, NE, BITWISE_AND, BITWISE_OR, BITWISE_XOR):
        binary_row(op)[dtype] = binary_row(op)[signed]
    return 0


cdef int _register_complex32() except -1:
    cdef int op
    for op in (NEG, SGN):
        _carry(unary_row(op), Complex32, Complex64, 1, Complex32)
    _carry(unary_row(ABS), Complex32, Complex64, 1, Float16)
    for op in (ISNAN, ISINF, ISFINITE):
        _carry(unary_row(op), Complex32, Complex64, 1, Bool)
    for op in (ADD, SUB, MUL, ADD_ALPHA, SUB_ALPHA):
        _carry(binary_row(op), Complex32, Complex64, 2, Complex32)
    for op in (EQ, NE):
        _carry(binary_row(op), Complex32, Complex64, 2, Bool)
    _carry(ternary_row(ADDCMUL), Complex32, Complex64, 3, Complex32)
    return 0


cdef void register() except *:
    cdef int dtype, op, alike
    _register_float8(Float8E5m2, 2, 15, 0x7b, 0x7c, 0x7f, False)
    _register_float8(Float8E4m3fn, 3, 7, 0x7e, 0x7e, 0x7f, False)
    _register_float8(Float8E5m2fnuz, 2, 16, 0x7f, 0x80, 0x80, True)
    _register_float8(Float8E4m3fnuz, 3, 8, 0x7f, 0x80, 0x80, True)
    _register_exponents()
    _register_casts()
    # kernels that only move elements depend on their size alone
    for dtype, alike in ((UInt16, Int16), (UInt32, Int32), (UInt64, Int64), (Complex32, Int32),
                         (Float8E8m0fnu, UInt8), (Float8E5m2, UInt8), (Float8E4m3fn, UInt8),
                         (Float8E5m2fnuz, UInt8), (Float8E4m3fnuz, UInt8)):
        cast_table[dtype][dtype] = cast_table[alike][alike]
        unary_row(CONJ)[dtype] = cast_table[alike][alike]
        ternary_row(WHERE)[dtype] = ternary_row(WHERE)[alike]
    _register_unsigned(UInt16, Int16)
    _register_unsigned(UInt32, Int32)
    _register_unsigned(UInt64, Int64)
    _register_complex32()
    _carry(unary_row(CONJ), Complex32, Complex64, 1, Complex32)
    for dtype in range(Float8E8m0fnu, Float8E4m3fnuz + 1):
        for op in (EQ, NE):
            _carry(binary_row(op), dtype, Float32, 2, Bool)
        _carry(binary_row(MUL), dtype, Float32, 2, dtype)
        _carry(unary_row(ISNAN), dtype, Float32, 1, Bool)
        if dtype == Float8E8m0fnu or dtype == Float8E5m2:
            _carry(unary_row(ISFINITE), dtype, Float32, 1, Bool)
        if dtype != Float8E8m0fnu:
            _carry(unary_row(ABS), dtype, Float32, 1, dtype)
    _carry(unary_row(ISINF), Float8E5m2, Float32, 1, Bool)
