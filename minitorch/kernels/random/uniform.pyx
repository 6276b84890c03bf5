"""Uniform random numbers: ``uniform_``, and with it ``rand``.

Expressions that round are written as PyTorch's AVX2 build rounds them: a product that is added to something is
fused.

References
----------
PyTorch's counterparts are ``uniform_impl_`` in ``ATen/native/DistributionTemplates.h`` and
``uniform_kernel`` in ``ATen/native/cpu/DistributionTemplates.h``.
"""

from libc.math cimport fabs, fmaf

from minitorch.core.dtype cimport (
    BFloat16, Float16, Float32, Float64, c_name, class_name, has_float_kernels, is_complex,
    is_reduced_floating, itemsizes, to_real)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.random.chunks cimport (
    CHUNK, chunk_of, emit, not_implemented, stretch, uniform_doubles, uniform_floats)


cdef simd spread_floats(float* x, Py_ssize_t n, float from_, float to) noexcept nogil:
    cdef float size = to - from_
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = fmaf(x[i], size, from_)


cdef simd round_to(const narrow_t* tag, float* x, Py_ssize_t n) noexcept nogil:
    cdef narrow_t rounded
    cdef Py_ssize_t i
    for i in range(n):
        store_float(&rounded, x[i])
        x[i] = to_float(rounded)


cdef void round_to_dtype(int dtype, float* x, Py_ssize_t n) noexcept nogil:
    if dtype == Float16:
        round_to(<const half_t*>NULL, x, n)
    elif dtype == BFloat16:
        round_to(<const bfloat16_t*>NULL, x, n)


# rounding the last bit up can give `to` itself, which is replaced by `from_`

cdef simd exclude_float(float* x, Py_ssize_t n, float from_, float to) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = from_ if x[i] == to else x[i]


cdef simd exclude_double(double* x, Py_ssize_t n, double from_, double to) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = from_ if x[i] == to else x[i]


cdef inline double largest(int dtype) noexcept nogil:
    if dtype == Float16:
        return 65504.0
    if dtype == BFloat16:
        return 3.3895313892515355e38
    return 3.4028234663852886e38 if dtype == Float32 else 1.7976931348623157e308


cdef int raise_bad_bounds(int dtype, double from_, double to) except -1 with gil:
    cdef double bound = largest(dtype)
    name = c_name(dtype)
    for value, argument in ((from_, "from"), (to, "to")):
        if not -bound <= value <= bound:
            raise RuntimeError(f"{argument} is out of bounds for {name}")
    if not from_ <= to:
        raise RuntimeError("uniform_ expects to return a [from, to) range, but found "
                           f"from={from_:g} > to={to:g}")
    raise RuntimeError(
        f"uniform_ expects to-from <= std::numeric_limits<{class_name(dtype)}>::max(), but found "
        f"to={to:g} and from={from_:g} which result in to-from to exceed the limit")


cdef int uniform_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                  double from_, double to) except -1 nogil:
    cdef Py_ssize_t i
    cdef int part
    if is_complex(dtype):
        part = to_real(dtype)
        if step == itemsizes[dtype]:
            return uniform_(generator, part, out, 2 * n, step // 2, from_, to)
        for i in range(n):
            uniform_(generator, part, out + i * step, 2, itemsizes[part], from_, to)
        return 0
    if not has_float_kernels(dtype):
        return not_implemented("check_uniform_bounds", dtype)
    cdef double bound = largest(dtype)
    if not (fabs(from_) <= bound and fabs(to) <= bound and from_ <= to and to - from_ <= bound):
        return raise_bad_bounds(dtype, from_, to)
    generator.lock()
    if dtype == Float64:
        _uniform_doubles(generator, out, n, step, from_, to)
    else:
        _uniform_floats(generator, dtype, out, n, step, <float>from_, <float>to)
    generator.unlock()
    return 0


cdef void _uniform_doubles(Generator generator, char* out, Py_ssize_t n, Py_ssize_t step,
                           double from_, double to) noexcept nogil:
    cdef double chunk[CHUNK]
    cdef double* x
    cdef Py_ssize_t count
    while n > 0:
        count = chunk_of(n)
        x = <double*>out if step == sizeof(double) else chunk
        uniform_doubles(generator, x, count)
        if from_ != 0 or to != 1:
            stretch(x, count, to - from_, from_)
            exclude_double(x, count, from_, to)
        if x == chunk:
            emit(Float64, x, Float64, out, count, step)
        out += count * step
        n -= count


cdef void _uniform_floats(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          float from_, float to) noexcept nogil:
    cdef float chunk[CHUNK]
    cdef float* x
    cdef Py_ssize_t count
    # float16 and bfloat16 are compared after rounding, with rounded bounds
    cdef float rounded_from = from_, rounded_to = to
    round_to_dtype(dtype, &rounded_from, 1)
    round_to_dtype(dtype, &rounded_to, 1)
    while n > 0:
        count = chunk_of(n)
        x = <float*>out if dtype == Float32 and step == sizeof(float) else chunk
        uniform_floats(generator, x, count)
        if from_ != 0 or to != 1:
            spread_floats(x, count, from_, to)
        if is_reduced_floating(dtype):
            round_to_dtype(dtype, x, count)
            exclude_float(x, count, rounded_from, rounded_to)
        elif from_ != 0 or to != 1:
            exclude_float(x, count, from_, to)
        if x == chunk:
            emit(Float32, x, dtype, out, count, step)
        out += count * step
        n -= count
