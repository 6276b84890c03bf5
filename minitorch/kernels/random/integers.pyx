"""Random integers and permutations: ``randint``, ``random_`` and ``randperm``.

References
----------
PyTorch's counterparts are ``uniform_int_from_to_distribution`` and its neighbours in
``ATen/core/DistributionsHelper.h``, and ``randperm_cpu`` in ``ATen/native/TensorFactories.cpp``.
The remainder by a multiplication is from D. Lemire, O. Kaser, N. Kurz, "Faster remainder by
direct computation" (2019).
"""

import warnings

from libc.stdint cimport INT64_MAX, INT64_MIN, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, c_name,
    is_complex, is_float8, is_floating, is_wide_unsigned, itemsizes)
from minitorch.core.mt19937 cimport fill_words, mt19937, random, random64
from minitorch.kernels.common.half cimport (
    bfloat16_to_float, float_to_bfloat16, float_to_half, half_to_float)
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Unsigned
from minitorch.kernels.random.chunks cimport CHUNK, chunk_of, emit, not_implemented


# ---- the range

cdef inline int digits_of(int dtype) noexcept nogil:
    return (11 if dtype == Float16 else 8 if dtype == BFloat16 else 24 if dtype == Float32
            else 53)


cdef inline int64_t maximum_of(int dtype) noexcept nogil:
    if dtype == Bool:
        return 1
    if dtype == UInt8 or dtype == UInt16 or dtype == UInt32:
        return (<int64_t>1 << 8 * itemsizes[dtype]) - 1
    return INT64_MAX if dtype == Int64 or dtype == UInt64 else (<int64_t>1 << (8 * itemsizes[dtype] - 1)) - 1


cdef inline int64_t rounded(int dtype, int64_t x) noexcept nogil:
    if dtype == Float16:
        return <int64_t>half_to_float(float_to_half(<float>x))
    if dtype == BFloat16:
        return <int64_t>bfloat16_to_float(float_to_bfloat16(<float>x))
    return <int64_t><float>x if dtype == Float32 else <int64_t><double>x


cdef inline int64_t spacing(int dtype, int64_t x) noexcept nogil:
    """Return the distance between adjacent numbers of a floating dtype around x, if x has too many bits."""
    cdef uint64_t magnitude = <uint64_t>x if x > 0 else 0 - <uint64_t>x
    cdef int exponent = -1
    while magnitude:
        magnitude >>= 1
        exponent += 1
    exponent -= digits_of(dtype) - 1
    return <int64_t>1 << exponent if 0 <= exponent < 63 else 0


cdef int check_bound(int dtype, str name, int64_t x) except -1:
    cdef int64_t high, low
    if dtype == Float32 or dtype == Float64 or dtype == BFloat16:
        return 0
    high = 65504 if dtype == Float16 else maximum_of(dtype)
    low = -high if dtype == Float16 else (
        0 if dtype == Bool or dtype == UInt8 or is_wide_unsigned(dtype) else -high - 1)
    if not low <= x <= high:
        raise RuntimeError(f"{name} is out of bounds for {c_name(dtype)}")
    return 0


cdef int warn_of_holes(int dtype, str name, int64_t x) except -1:
    cdef int digits = digits_of(dtype)
    if not -(<int64_t>1 << digits) <= x <= <int64_t>1 << digits:
        warnings.warn(
            f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
            f"{c_name(dtype)} can support discrete uniform distribution only within this range. "
            "This warning will become an error in version 1.7 release, please fix the code in "
            "advance", UserWarning, stacklevel=1)
    return 0


cdef int random_range(int dtype, int64_t from_, bint has_to, int64_t to, uint64_t* size,
                      int64_t* base) except -1:
    cdef int64_t last
    if not has_to and from_ == INT64_MIN:
        return 1
    if has_to and from_ >= to:
        raise RuntimeError("random_ expects 'from' to be less than 'to', but got "
                           f"from={from_} >= to={to}")
    if is_complex(dtype):
        raise RuntimeError(f"{'check_random_bounds' if has_to else 'random_from_to_impl'} handles "
                           "only integral, floating-point and boolean types")
    if is_float8(dtype):
        return not_implemented("random_update_from_to", dtype)
    if dtype == UInt64 and not has_to:
        # its largest number does not fit an int64
        raise RuntimeError(f"to - 1 is out of bounds for {c_name(dtype)}")
    last = to - 1 if has_to else maximum_of(dtype)
    if is_floating(dtype):
        # move the ends inwards to numbers that the dtype can represent
        if from_ < INT64_MAX and rounded(dtype, from_ + 1) < from_:
            from_ = rounded(dtype, from_ + 1) + spacing(dtype, from_ + 1)
        if has_to:
            if rounded(dtype, last) > last:
                to = rounded(dtype, last) - spacing(dtype, last)
                last = to - 1
            if from_ >= to:
                raise RuntimeError("random_ expects 'from' casted to dtype to be less than 'to' "
                                   f"casted to dtype, but got from={from_} >= to={to}")
        else:
            last = <int64_t>1 << digits_of(dtype)
            if from_ >= last:
                raise RuntimeError(
                    "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' "
                    f"casted to dtype, but got from={from_} > to_inc={last}")
    check_bound(dtype, "from", from_)
    check_bound(dtype, "to - 1", last)
    if is_floating(dtype):
        warn_of_holes(dtype, "from", from_)
        warn_of_holes(dtype, "to - 1", last)
    size[0] = <uint64_t>last - <uint64_t>from_ + 1
    base[0] = from_
    return 0


# ---- integers

cdef simd remainders(const uint32_t* words, int64_t* out, Py_ssize_t n, uint64_t size,
                     int64_t base) noexcept nogil:
    # word % size without a division: word / size as a fraction of 64 bits, times size
    cdef uint64_t inverse = <uint64_t>0xFFFFFFFFFFFFFFFF // size + 1
    cdef uint64_t fraction
    cdef Py_ssize_t i
    for i in range(n):
        fraction = inverse * words[i]
        out[i] = <int64_t>(((fraction >> 32) * size
                            + ((fraction & <uint64_t>0xFFFFFFFF) * size >> 32)) >> 32) + base


cdef simd masked_words(const uint32_t* words, int64_t* out, Py_ssize_t n,
                       uint32_t mask) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = words[i] & mask


cdef int random_from_to(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                        uint64_t size, int64_t base) except -1 nogil:
    cdef uint32_t words[2 * CHUNK]
    cdef int64_t chunk[CHUNK]
    cdef Py_ssize_t count, i
    if n > 0 and is_complex(dtype):
        return not_implemented("random_from_to_kernel_cpu", dtype)
    if size == 0:
        return raise_empty_range()
    generator.lock()
    while n > 0:
        count = chunk_of(n)
        if size >= <uint64_t>1 << 28:
            fill_words(&generator.engine, words, 2 * count)
            for i in range(count):
                chunk[i] = <int64_t>((<uint64_t>words[2 * i] << 32 | words[2 * i + 1]) % size
                                     + <uint64_t>base)
        else:
            fill_words(&generator.engine, words, count)
            remainders(words, chunk, count, size, base)
        emit(Int64, chunk, dtype, out, count, step)
        out += count * step
        n -= count
    generator.unlock()
    return 0


cdef int raise_empty_range() except -1 with gil:
    raise RuntimeError("random_ expects 'from' to be less than 'to'")


cdef int random_full_64_bits_range(Generator generator, int dtype, char* out, Py_ssize_t n,
                                   Py_ssize_t step) except -1 nogil:
    cdef int64_t chunk[CHUNK]
    cdef Py_ssize_t count, i
    if n > 0 and dtype != Int64 and dtype != Float32 and dtype != Float64 and (
            dtype != BFloat16):
        return raise_full_range(dtype)
    generator.lock()
    while n > 0:
        count = chunk_of(n)
        for i in range(count):
            chunk[i] = <int64_t>random64(&generator.engine)
        emit(Int64, chunk, dtype, out, count, step)
        out += count * step
        n -= count
    generator.unlock()
    return 0


cdef int raise_full_range(int dtype) except -1 with gil:
    if dtype == Bool or dtype == Float16 or is_complex(dtype):
        return not_implemented("random_full_64_bits_range_kernel_cpu", dtype)
    raise RuntimeError("random_full_64_bits_range_kernel_cpu handles only int64, double, float and "
                       "bfloat16")


cdef int random_(Generator generator, int dtype, char* out, Py_ssize_t n,
                 Py_ssize_t step) except -1 nogil:
    cdef uint32_t words[CHUNK]
    cdef int64_t chunk[CHUNK]
    cdef Py_ssize_t count, i
    if n > 0 and (is_complex(dtype) or is_wide_unsigned(dtype) or is_float8(dtype)):
        return not_implemented("random_kernel_cpu", dtype)
    # for floating dtypes, 2**(number of digits) is included
    if is_floating(dtype):
        return random_from_to(generator, dtype, out, n, step,
                              (<uint64_t>1 << digits_of(dtype)) + 1, 0)
    cdef uint32_t mask = (0xFF if dtype == UInt8 else 0x7F if dtype == Int8
                          else 0x7FFF if dtype == Int16 else 0x7FFFFFFF if dtype == Int32 else 1)
    generator.lock()
    while n > 0:
        count = chunk_of(n)
        if dtype == Int64:
            for i in range(count):
                chunk[i] = <int64_t>(random64(&generator.engine) & <uint64_t>0x7FFFFFFFFFFFFFFF)
        else:
            fill_words(&generator.engine, words, count)
            masked_words(words, chunk, count, mask)
        emit(Int64, chunk, dtype, out, count, step)
        out += count * step
        n -= count
    generator.unlock()
    return 0


# ---- randperm


cdef void shuffle(mt19937* engine, Unsigned* out, uint32_t n) noexcept nogil:
    """Shuffle from the front (Fisher and Yates); n is small enough for 32-bit words to be fair."""
    cdef uint32_t i, other
    cdef Unsigned held
    for i in range(n - 1):
        other = i + random(engine) % (n - i)
        held = out[i]
        out[i] = out[other]
        out[other] = held


cdef void shuffle_many(mt19937* engine, Unsigned* out, uint64_t n) noexcept nogil:
    """Shuffle many elements like PyTorch does, in the other direction (inside-out)."""
    cdef uint64_t i, other
    cdef Unsigned held
    for i in range(n):
        other = random64(engine) % (i + 1)
        held = out[i]
        out[i] = out[other]
        out[other] = held


cdef void _randperm(mt19937* engine, Unsigned* out, Py_ssize_t n) noexcept nogil:
    if n < 214748364:                 # a twentieth of all 32-bit words
        if n > 1:
            shuffle(engine, out, <uint32_t>n)
    else:
        shuffle_many(engine, out, n)


cdef int randperm(Generator generator, int dtype, char* out, Py_ssize_t n) except -1 nogil:
    cdef int64_t chunk[CHUNK]
    cdef Py_ssize_t begin = 0, i, size = itemsizes[dtype]
    if dtype == Bool or is_complex(dtype) or is_wide_unsigned(dtype) or is_float8(dtype):
        return not_implemented("randperm", dtype)
    while begin < n:
        for i in range(chunk_of(n - begin)):
            chunk[i] = begin + i
        emit(Int64, chunk, dtype, out + begin * size, chunk_of(n - begin), size)
        begin += CHUNK
    generator.lock()
    if size == 1:
        _randperm(&generator.engine, <uint8_t*>out, n)
    elif size == 2:
        _randperm(&generator.engine, <uint16_t*>out, n)
    elif size == 4:
        _randperm(&generator.engine, <uint32_t*>out, n)
    else:
        _randperm(&generator.engine, <uint64_t*>out, n)
    generator.unlock()
    return 0
