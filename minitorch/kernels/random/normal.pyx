"""Normal random numbers: ``normal_`` (and with it ``randn``) and ``log_normal_``.

PyTorch draws normal numbers in two ways, both with the Box-Muller transform. A contiguous tensor of 16 or more
elements is filled with uniform numbers, and each block of 16 is transformed: ``sqrt(-2 log(1 - u[:8]))`` times
the cosine and the sine of ``2 pi u[8:]``. If the size is not a multiple of 16, the last 16 elements are drawn
again. All other tensors are filled element by element in float64, two numbers at a time; the generator keeps the
second one for the next call.

In float32, PyTorch's AVX2 build computes logarithm, sine and cosine by the polynomials of Cephes, with fused
multiply-adds. This file follows it step by step and gives the same bits.

References
----------
G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates" (1958).
S. L. Moshier, Cephes mathematical library: ``logf.c`` and ``sinf.c``.
PyTorch's counterparts are ``normal_fill`` and ``normal_kernel`` in
``ATen/native/cpu/DistributionTemplates.h``.
"""

from libc.math cimport cos, exp, fmaf, log, log1p, sin, sqrt
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float32, Float64, has_float_kernels, is_complex, itemsizes, to_real
from minitorch.core.mt19937 cimport uniform_double
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.half cimport bits_of_float, float_of_bits
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport SQRT, Kernel, unary_kernel
from minitorch.kernels.random.chunks cimport (
    CHUNK, HALF_CHUNK, chunk_of, emit, not_implemented, stretch, uniform_doubles,
    uniform_floats)

cdef double TWO_PI = 6.283185307179586
cdef double SQRT_2 = 1.4142135623730951


# ---- float32 in blocks

cdef inline inlined log_float(float x, float* result) noexcept nogil:
    """Store the logarithm of a normal positive number, from its mantissa by a polynomial and its exponent."""
    cdef float one = 1
    cdef uint32_t bits = bits_of_float(x)
    cdef float exponent = <float>(<int32_t>(bits >> 23) - 126)
    cdef float mantissa = float_of_bits((bits & 0x007FFFFF) | 0x3F000000)      # in [0.5, 1)
    cdef bint low = mantissa < <float>0.707106781186547524
    exponent = exponent - one if low else exponent
    cdef float t = mantissa - one
    t = t + mantissa if low else t
    cdef float square = t * t
    cdef float y = fmaf(<float>7.0376836292e-2, t, <float>-1.1514610310e-1)
    y = fmaf(y, t, <float>1.1676998740e-1)
    y = fmaf(y, t, <float>-1.2420140846e-1)
    y = fmaf(y, t, <float>1.4249322787e-1)
    y = fmaf(y, t, <float>-1.6668057665e-1)
    y = fmaf(y, t, <float>2.0000714765e-1)
    y = fmaf(y, t, <float>-2.4999993993e-1)
    y = fmaf(y, t, <float>3.3333331174e-1)
    y = y * t
    y = fmaf(y, square, exponent * <float>-2.12194440e-4)
    y = fmaf(square, <float>-0.5, y)
    result[0] = fmaf(exponent, <float>0.693359375, t + y)


cdef inline inlined sincos_float(float angle, float* sine, float* cosine) noexcept nogil:
    """Store sine and cosine of a number that is not negative."""
    # subtract the nearest even number of eighths of a turn, in three parts
    cdef int32_t octant = (<int32_t>(angle * <float>1.27323954473516) + 1) & ~1
    cdef float turned = <float>octant
    cdef float x = fmaf(turned, <float>-0.78515625, angle)
    x = fmaf(turned, <float>-2.4187564849853515625e-4, x)
    x = fmaf(turned, <float>-3.77489497744594108e-8, x)
    cdef float square = x * x
    cdef float c = fmaf(<float>2.443315711809948e-5, square, <float>-1.388731625493765e-3)
    c = fmaf(c, square, <float>4.166664568298827e-2)
    c = c * square
    c = fmaf(c, square, square * <float>-0.5)
    c = c + <float>1
    cdef float s = fmaf(<float>-1.9515295891e-4, square, <float>8.3321608736e-3)
    s = fmaf(s, square, <float>-1.6666654611e-1)
    s = s * square
    s = fmaf(s, x, x)
    cdef bint swapped = (octant & 2) != 0
    cdef uint32_t sine_sign = (<uint32_t>octant & 4) << 29
    cdef uint32_t cosine_sign = (~(<uint32_t>octant - 2) & 4) << 29
    sine[0] = float_of_bits(bits_of_float(c if swapped else s) ^ sine_sign)
    cosine[0] = float_of_bits(bits_of_float(s if swapped else c) ^ cosine_sign)


cdef simd minus_twice_log(const float* u, float* out, Py_ssize_t n) noexcept nogil:
    cdef float logarithm
    cdef Py_ssize_t i
    for i in range(n):
        log_float(<float>1 - u[i], &logarithm)
        out[i] = <float>-2 * logarithm


cdef simd turn(const float* u, float* radius_to_cosine, float* sine, Py_ssize_t n, float mean,
               float std) noexcept nogil:
    cdef float s, c
    cdef Py_ssize_t i
    for i in range(n):
        sincos_float(<float>6.283185307179586 * u[i], &s, &c)
        sine[i] = fmaf(radius_to_cosine[i] * s, std, mean)
        radius_to_cosine[i] = fmaf(radius_to_cosine[i] * c, std, mean)


cdef void box_muller_floats(float* data, Py_ssize_t blocks, float mean, float std) noexcept nogil:
    """Transform at most CHUNK / 16 blocks; their halves are copied together first."""
    cdef float first[HALF_CHUNK]
    cdef float second[HALF_CHUNK]
    cdef float sine[HALF_CHUNK]
    cdef Py_ssize_t n = 8 * blocks
    cdef Py_ssize_t b
    for b in range(blocks):
        memcpy(first + 8 * b, data + 16 * b, 8 * sizeof(float))
        memcpy(second + 8 * b, data + 16 * b + 8, 8 * sizeof(float))
    minus_twice_log(first, first, n)
    square_root(first, n)
    turn(second, first, sine, n, mean, std)
    for b in range(blocks):
        memcpy(data + 16 * b, first + 8 * b, 8 * sizeof(float))
        memcpy(data + 16 * b + 8, sine + 8 * b, 8 * sizeof(float))


cdef void square_root(float* x, Py_ssize_t n) noexcept nogil:
    # sqrtf may set errno, which keeps gcc from vectorising a loop that calls it
    cdef Kernel* kernel = unary_kernel(SQRT, Float32)
    cdef char* args[2]
    cdef Py_ssize_t steps[2]
    args[0] = args[1] = <char*>x
    steps[0] = steps[1] = sizeof(float)
    kernel.loop(args, &n, steps, kernel.data)


cdef void fill_floats(Generator generator, float* out, Py_ssize_t n, float mean,
                      float std) noexcept nogil:
    cdef float* data = out
    cdef Py_ssize_t count, left = n
    while left > 0:
        count = chunk_of(left)
        uniform_floats(generator, data, count)
        box_muller_floats(data, count // 16, mean, std)
        data += count
        left -= count
    if n % 16 != 0:
        data = out + n - 16
        uniform_floats(generator, data, 16)
        box_muller_floats(data, 1, mean, std)


cdef void fill_narrow(Generator generator, int dtype, char* out, Py_ssize_t n, float mean,
                      float std) noexcept nogil:
    # Unlike in fill_floats, the remainder of n by 16 draws no numbers before the last 16 are drawn.
    cdef float chunk[CHUNK]
    cdef char* data = out
    cdef Py_ssize_t count, left = n - n % 16
    while left > 0:
        count = chunk_of(left)
        uniform_floats(generator, chunk, count)
        box_muller_floats(chunk, count // 16, mean, std)
        emit(Float32, chunk, dtype, data, count, 2)
        data += 2 * count
        left -= count
    if n % 16 != 0:
        uniform_floats(generator, chunk, 16)
        box_muller_floats(chunk, 1, mean, std)
        emit(Float32, chunk, dtype, out + 2 * (n - 16), 16, 2)


# ---- float64 in blocks

cdef void box_muller_doubles(double* data, Py_ssize_t blocks, double mean,
                             double std) noexcept nogil:
    cdef double radius, angle
    cdef double* u
    cdef Py_ssize_t b
    cdef int j
    for b in range(blocks):
        u = data + 16 * b
        for j in range(8):
            radius = sqrt(-2 * log(1 - u[j]))
            angle = TWO_PI * u[j + 8]
            u[j] = radius * cos(angle)
            u[j + 8] = radius * sin(angle)
    stretch(data, 16 * blocks, std, mean)


cdef void fill_doubles(Generator generator, double* out, Py_ssize_t n, double mean,
                       double std) noexcept nogil:
    cdef double* data = out
    cdef Py_ssize_t count, left = n
    while left > 0:
        count = chunk_of(left)
        uniform_doubles(generator, data, count)
        box_muller_doubles(data, count // 16, mean, std)
        data += count
        left -= count
    if n % 16 != 0:
        data = out + n - 16
        uniform_doubles(generator, data, 16)
        box_muller_doubles(data, 1, mean, std)


# ---- one by one

cdef double standard_normal(Generator generator) noexcept nogil:
    cdef double first, second, radius, angle
    if generator.has_double_normal_sample:
        generator.has_double_normal_sample = False
        return generator.next_double_normal_sample
    first = uniform_double(&generator.engine)
    second = uniform_double(&generator.engine)
    radius = sqrt(-2 * log1p(-second))
    angle = TWO_PI * first
    generator.next_double_normal_sample = radius * sin(angle)
    generator.has_double_normal_sample = True
    return radius * cos(angle)


cdef void draw(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
               double mean, double std, bint exponentiate) noexcept nogil:
    cdef double chunk[CHUNK]
    cdef Py_ssize_t count, i
    while n > 0:
        count = chunk_of(n)
        for i in range(count):
            chunk[i] = standard_normal(generator)
        stretch(chunk, count, std, mean)
        if exponentiate:
            for i in range(count):
                chunk[i] = exp(chunk[i])
        emit(Float64, chunk, dtype, out, count, step)
        out += count * step
        n -= count


# ---- the interface

cdef int raise_bad_std(const char* name, const char* bound, double std) except -1 with gil:
    raise RuntimeError(f"{name.decode()} expects std {bound.decode()} 0.0, but found std"
                       f"{'=' if bound[1] == 0 else ' '}{std:g}")


cdef int normal_(Generator generator, int dtype, char* out, Py_ssize_t n, double mean,
                 double std) except -1 nogil:
    if not std >= 0:
        return raise_bad_std("normal", ">=", std)
    if is_complex(dtype):
        return normal_(generator, to_real(dtype), out, 2 * n, mean,
                       std / SQRT_2)
    if n > 0 and not has_float_kernels(dtype):
        return not_implemented("normal_kernel_cpu", dtype)
    generator.lock()
    if n < 16:
        draw(generator, dtype, out, n, itemsizes[dtype], mean, std, False)
    elif dtype == Float32:
        fill_floats(generator, <float*>out, n, <float>mean, <float>std)
    elif dtype == Float64:
        fill_doubles(generator, <double*>out, n, mean, std)
    else:
        fill_narrow(generator, dtype, out, n, <float>mean, <float>std)
    generator.unlock()
    return 0


cdef int normal_serial(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                       double mean, double std) except -1 nogil:
    cdef Py_ssize_t i
    cdef int part
    if not std >= 0:
        return raise_bad_std("normal", ">=", std)
    if is_complex(dtype):
        part = to_real(dtype)
        for i in range(n):
            normal_serial(generator, part, out + i * step, 2, itemsizes[part], mean, std / SQRT_2)
        return 0
    if n > 0 and not has_float_kernels(dtype):
        return not_implemented("normal_kernel_cpu", dtype)
    generator.lock()
    draw(generator, dtype, out, n, step, mean, std, False)
    generator.unlock()
    return 0


cdef int log_normal_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     double mean, double std) except -1 nogil:
    if not std > 0:
        return raise_bad_std("log_normal_", ">", std)
    if n > 0 and not has_float_kernels(dtype):
        return not_implemented("log_normal_cpu", dtype)
    generator.lock()
    draw(generator, dtype, out, n, step, mean, std, True)
    generator.unlock()
    return 0
