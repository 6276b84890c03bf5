"""Conversion of every dtype to every other, by PyTorch's rules.

Interface: ``cast_table``, filled by ``register``; ``fill``; ``has_zero``.

Rules: floating to integer truncates, to uint8 through int64 so that negative numbers wrap around; to Bool is "not
zero"; complex to real drops the imaginary part; float64 to float16 or bfloat16 goes through float32. For a value
that the integer type cannot hold, the result is that of the processor's conversion instruction.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    UInt8, itemsizes)
from minitorch.kernels.common.blocks cimport Block, BlockOp, block_loop, gather, scatter
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport Loop, set_kernel
from minitorch.kernels.common.types cimport Unsigned, complex64, complex128

# A Bool is stored in a byte, which is 0 or 1 unless other bytes are viewed as Bool. A separate C type
# distinguishes it from uint8.
cdef struct bool_t:
    uint8_t byte

ctypedef fused Source:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    half_t
    bfloat16_t
    float
    double
    complex64
    complex128
    bool_t

ctypedef fused Target:
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    half_t
    bfloat16_t
    float
    double
    complex64
    complex128
    bool_t


# The second parameter only selects the target type; callers pass NULL.
cdef simd convert(const Source** args, Py_ssize_t n, const Target* _) noexcept nogil:
    cdef const Source* src = args[0]
    cdef Target* dst = <Target*>args[1]
    cdef Py_ssize_t i
    for i in range(n):
        if Target is bool_t:
            if Source is bool_t:
                dst[i].byte = src[i].byte != 0
            elif Source in narrow_t:
                dst[i].byte = (src[i].bits & 0x7fff) != 0
            elif Source is complex64 or Source is complex128:
                dst[i].byte = (src[i].real != 0) | (src[i].imag != 0)
            else:
                dst[i].byte = src[i] != 0
        elif Target is complex64:
            dst[i].imag = 0
            if Source is bool_t:
                dst[i].real = src[i].byte != 0
            elif Source in narrow_t:
                dst[i].real = to_float(src[i])
            elif Source is complex64 or Source is complex128:
                dst[i].real = <float>src[i].real
                dst[i].imag = <float>src[i].imag
            else:
                dst[i].real = <float>src[i]
        elif Target is complex128:
            dst[i].imag = 0
            if Source is bool_t:
                dst[i].real = src[i].byte != 0
            elif Source in narrow_t:
                dst[i].real = to_float(src[i])
            elif Source is complex64 or Source is complex128:
                dst[i].real = src[i].real
                dst[i].imag = src[i].imag
            else:
                dst[i].real = <double>src[i]
        elif Target in narrow_t:
            if Source is bool_t:
                store_float(dst + i, src[i].byte != 0)
            elif Source in narrow_t:
                store_float(dst + i, to_float(src[i]))
            elif Source is complex64 or Source is complex128:
                store_float(dst + i, <float>src[i].real)
            else:
                store_float(dst + i, <float>src[i])
        elif Target is uint8_t:
            if Source is bool_t:
                dst[i] = src[i].byte != 0
            elif Source in narrow_t:
                dst[i] = <uint8_t><int64_t>to_float(src[i])
            elif Source is complex64 or Source is complex128:
                dst[i] = <uint8_t><int64_t>src[i].real
            else:
                dst[i] = <uint8_t><int64_t>src[i]
        else:
            if Source is bool_t:
                dst[i] = src[i].byte != 0
            elif Source in narrow_t:
                dst[i] = <Target>to_float(src[i])
            elif Source is complex64 or Source is complex128:
                dst[i] = <Target>src[i].real
            else:
                dst[i] = <Target>src[i]


# ---- the same type: a copy

cdef void copy1(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    _copy(args, n[0], steps, 1)


cdef void copy2(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    _copy(args, n[0], steps, 2)


cdef void copy4(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    _copy(args, n[0], steps, 4)


cdef void copy8(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    _copy(args, n[0], steps, 8)


cdef void copy16(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, void* _) noexcept nogil:
    _copy(args, n[0], steps, 16)


cdef inline void _copy(char** args, Py_ssize_t n, const Py_ssize_t* steps,
                       int size) noexcept nogil:
    cdef char* src = args[0]
    cdef char* dst = args[1]
    cdef Py_ssize_t i
    if src == dst and steps[0] == steps[1]:
        return
    if steps[1] == size or n == 1:
        gather(src, size if n == 1 else steps[0], size, dst, n)
    elif steps[0] == size:
        scatter(src, dst, steps[1], size, n)
    else:
        for i in range(n):
            memcpy(dst + i * steps[1], src + i * steps[0], size)


cdef void fill(char* p, Py_ssize_t n, Py_ssize_t step, int dtype, const void* value) noexcept nogil:
    cdef int size = <int>itemsizes[dtype]
    cdef Py_ssize_t i
    if size == 1 and step == 1:
        memset(p, (<const uint8_t*>value)[0], n)
    elif step == size:
        gather(<const char*>value, 0, size, p, n)
    elif size == 4:
        for i in range(n):
            memcpy(p + i * step, value, 4)
    elif size == 8:
        for i in range(n):
            memcpy(p + i * step, value, 8)
    else:
        for i in range(n):
            memcpy(p + i * step, value, size)


cdef bint _any_zero(const Unsigned* p, Py_ssize_t n, Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint found = False
    if step == 0 or n == 1:
        return p[0] == 0
    if step == sizeof(Unsigned):
        for i in range(n):
            found |= p[i] == 0
    else:
        for i in range(n):
            found |= (<const Unsigned*>(<const char*>p + i * step))[0] == 0
    return found


cdef bint has_zero(char* p, Py_ssize_t n, Py_ssize_t step, int dtype) noexcept nogil:
    if n <= 0:
        return False
    if dtype == Int64:
        return _any_zero[uint64_t](<const uint64_t*>p, n, step)
    if dtype == Int32:
        return _any_zero[uint32_t](<const uint32_t*>p, n, step)
    if dtype == Int16:
        return _any_zero[uint16_t](<const uint16_t*>p, n, step)
    return _any_zero[uint8_t](<const uint8_t*>p, n, step)


# ---- the table

cdef BlockOp _ops[NUM_SCALAR_TYPES][NUM_SCALAR_TYPES]


cdef void _set(int source, int target, Block block):
    _ops[source][target].block = block
    _ops[source][target].inputs = 1
    _ops[source][target].sizes[0] = <int>itemsizes[source]
    _ops[source][target].sizes[1] = <int>itemsizes[target]
    if source != target:
        set_kernel(&cast_table[source][target], block_loop, &_ops[source][target], 3)


cdef void _set_all_targets(int source, const Source** _):
    _set(source, UInt8, <Block>convert[Source, uint8_t])
    _set(source, Int8, <Block>convert[Source, int8_t])
    _set(source, Int16, <Block>convert[Source, int16_t])
    _set(source, Int32, <Block>convert[Source, int32_t])
    _set(source, Int64, <Block>convert[Source, int64_t])
    _set(source, Float16, <Block>convert[Source, half_t])
    _set(source, BFloat16, <Block>convert[Source, bfloat16_t])
    _set(source, Float32, <Block>convert[Source, float])
    _set(source, Float64, <Block>convert[Source, double])
    _set(source, Complex64, <Block>convert[Source, complex64])
    _set(source, Complex128, <Block>convert[Source, complex128])
    _set(source, Bool, <Block>convert[Source, bool_t])


cdef void _set_copy(int dtype, Loop loop, int cost):
    set_kernel(&cast_table[dtype][dtype], loop, NULL, cost)


cdef void register():
    _set_all_targets[uint8_t](UInt8, NULL)
    _set_all_targets[int8_t](Int8, NULL)
    _set_all_targets[int16_t](Int16, NULL)
    _set_all_targets[int32_t](Int32, NULL)
    _set_all_targets[int64_t](Int64, NULL)
    _set_all_targets[half_t](Float16, NULL)
    _set_all_targets[bfloat16_t](BFloat16, NULL)
    _set_all_targets[float](Float32, NULL)
    _set_all_targets[double](Float64, NULL)
    _set_all_targets[complex64](Complex64, NULL)
    _set_all_targets[complex128](Complex128, NULL)
    _set_all_targets[bool_t](Bool, NULL)
    for dtype in (UInt8, Int8, Bool):
        _set_copy(dtype, copy1, 1)
    for dtype in (Int16, Float16, BFloat16):
        _set_copy(dtype, copy2, 1)
    for dtype in (Int32, Float32):
        _set_copy(dtype, copy4, 1)
    for dtype in (Int64, Float64, Complex64):
        _set_copy(dtype, copy8, 2)
    _set_copy(Complex128, copy16, 3)
