"""Bernoulli numbers, and the distributions that transform one uniform number.

As in PyTorch, logarithms and tangents are those of the C library, so that the last bit agrees. Expressions that
round are written as PyTorch's AVX2 build rounds them: a product that is added to something is fused.

References
----------
PyTorch's counterparts are ``ATen/native/cpu/DistributionTemplates.h`` and
``ATen/core/TransformationHelper.h``.
"""

from libc.math cimport ceil, log, log1p, tan
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from minitorch.core.dtype cimport (
    Bool, Float64, UInt8, c_name, class_name, has_float_kernels, is_complex, is_float8, is_wide_unsigned, itemsizes)
from minitorch.core.mt19937 cimport fill_words
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.random.chunks cimport (
    CHUNK, chunk_of, emit, not_implemented, stretch, uniform_doubles, uniform_floats,
    widen)

cdef double PI = 3.141592653589793


cdef int raise_runtime_error(message) except -1:
    raise RuntimeError(message)


# ---- bernoulli

cdef simd flips(const uint32_t* words, uint8_t* out, Py_ssize_t n, uint64_t below) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t drawn
    for i in range(n):
        drawn = (<uint64_t>(words[2 * i] & 0x1FFFFF) << 32) | words[2 * i + 1]
        out[i] = drawn < below


cdef int raise_bad_p(double p) except -1 with gil:
    raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


cdef int bernoulli_scalar(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          double p) except -1 nogil:
    cdef uint32_t words[2 * CHUNK]
    cdef uint8_t chunk[CHUNK]
    cdef Py_ssize_t count
    if not 0 <= p <= 1:
        return raise_bad_p(p)
    if n > 0 and (is_complex(dtype) or is_wide_unsigned(dtype) or is_float8(dtype)):
        return not_implemented("bernoulli_scalar_cpu_", dtype)
    # k * 2**-53 < p, in integers
    cdef uint64_t below = <uint64_t>ceil(p * 9007199254740992.0)
    generator.lock()
    while n > 0:
        count = chunk_of(n)
        fill_words(&generator.engine, words, 2 * count)
        if itemsizes[dtype] == 1 and step == 1:
            flips(words, <uint8_t*>out, count, below)
        else:
            flips(words, chunk, count, below)
            emit(UInt8, chunk, dtype, out, count, step)
        out += count * step
        n -= count
    generator.unlock()
    return 0


cdef int raise_bad_probabilities() except -1 with gil:
    raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this "
                       "error message be improved?  If so, please report an enhancement request to "
                       "PyTorch.)")


cdef int bernoulli_tensor(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                          int p_dtype, const char* p, Py_ssize_t p_step) except -1 nogil:
    cdef double chunk[CHUNK]
    cdef double uniforms[CHUNK]
    cdef uint8_t drawn[CHUNK]
    cdef Py_ssize_t count, i
    if n > 0 and (is_complex(dtype) or is_wide_unsigned(dtype) or is_float8(dtype)):
        return not_implemented("bernoulli_tensor_cpu_self_", dtype)
    if n > 0 and not has_float_kernels(p_dtype):
        return not_implemented("bernoulli_tensor_cpu_p_", p_dtype)
    cdef bint fair = True
    generator.lock()
    while n > 0 and fair:
        count = chunk_of(n)
        widen(p_dtype, p, p_step, chunk, count)
        for i in range(count):
            if not 0 <= chunk[i] <= 1:
                fair = False
                count = i
                break
        _uniforms_for(generator, p_dtype, uniforms, count)
        for i in range(count):
            drawn[i] = uniforms[i] < chunk[i]
        emit(UInt8, drawn, dtype, out, count, step)
        out += count * step
        p += count * p_step
        n -= count
    generator.unlock()
    return 0 if fair else raise_bad_probabilities()


cdef void _uniforms_for(Generator generator, int p_dtype, double* out,
                        Py_ssize_t n) noexcept nogil:
    cdef float narrow[CHUNK]
    cdef Py_ssize_t i
    if p_dtype == Float64:
        uniform_doubles(generator, out, n)
    else:
        uniform_floats(generator, narrow, n)
        for i in range(n):
            out[i] = narrow[i]


# ---- one uniform number, transformed

ctypedef void (*Law)(double* x, Py_ssize_t n, double a, double b) noexcept nogil


cdef void exponential_law(double* x, Py_ssize_t n, double rate, double _) noexcept nogil:
    cdef double scale = -1.0 / rate
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = scale * log1p(-x[i])


cdef void geometric_law(double* x, Py_ssize_t n, double p, double _) noexcept nogil:
    cdef double log_of_failure = log1p(-p)
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = ceil(log(x[i]) / log_of_failure)


cdef void cauchy_law(double* x, Py_ssize_t n, double median, double sigma) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = tan(PI * (x[i] - 0.5))
    stretch(x, n, sigma, median)


cdef void draw(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step, Law law,
               double a, double b) noexcept nogil:
    cdef double chunk[CHUNK]
    cdef Py_ssize_t count
    generator.lock()
    while n > 0:
        count = chunk_of(n)
        uniform_doubles(generator, chunk, count)
        law(chunk, count, a, b)
        emit(Float64, chunk, dtype, out, count, step)
        out += count * step
        n -= count
    generator.unlock()


cdef void exponential_draws(Generator generator, double* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t count
    while n > 0:
        count = chunk_of(n)
        uniform_doubles(generator, out, count)
        exponential_law(out, count, 1, 0)
        out += count
        n -= count


cdef int reject_integral(str distribution, str name) except -1:
    raise RuntimeError(f"{distribution} distribution is a continuous probability distribution. "
                       f"dtype must be a floating point but you specified {name}")


cdef int exponential_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                      double rate) except -1 nogil:
    if not rate > 0:
        with gil:
            return raise_runtime_error(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if n > 0 and not has_float_kernels(dtype):
        with gil:
            return reject_integral("Exponential", class_name(dtype))
    draw(generator, dtype, out, n, step, exponential_law, rate, 0)
    return 0


cdef int geometric_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                    double p) except -1 nogil:
    if not 0 < p < 1:
        with gil:
            return raise_runtime_error(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if n > 0 and (dtype == Bool or is_complex(dtype) or is_wide_unsigned(dtype) or is_float8(dtype)):
        return not_implemented("geometric_cpu", dtype)
    draw(generator, dtype, out, n, step, geometric_law, p, 0)
    return 0


cdef int cauchy_(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 double median, double sigma) except -1 nogil:
    if not sigma > 0:
        with gil:
            return raise_runtime_error(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if not has_float_kernels(dtype):
        with gil:
            return reject_integral("Cauchy", c_name(dtype))
    draw(generator, dtype, out, n, step, cauchy_law, median, sigma)
    return 0
