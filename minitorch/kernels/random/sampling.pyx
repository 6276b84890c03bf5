"""Distributions sampled by rejection: ``poisson``, ``_standard_gamma`` and ``binomial``.

Each function follows a published algorithm, with PyTorch's constants and order of draws. A float32 parameter
enters the computation as float32, and C's rules determine where float64 takes over. This mixture affects the last
bits of the result, so the code reproduces it. (A literal 1 would be float64 in C; hence ``one``.)
float64 in the C code; hence ``one``.)

References
----------
W. Hoermann, "The transformed rejection method for generating Poisson random variables" (1993)
and "The generation of binomial random variates" (1993); G. Marsaglia and W. W. Tsang, "A simple
method for generating gamma variables" (2000). PyTorch's counterparts are
``ATen/native/Distributions.cpp`` and ``ATen/native/Distributions.h``.
"""

from libc.math cimport (
    NAN, ceil, exp, fabs, floor, floorf, isnan, lgamma, log, log1p, log1pf, pow, sqrt, sqrtf)
from libc.stdint cimport int64_t

from minitorch.core.dtype cimport Float32, Float64, Int64, has_float_kernels
from minitorch.core.mt19937 cimport uniform_double
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.random.chunks cimport CHUNK, chunk_of, emit, not_implemented, widen
from minitorch.kernels.random.normal cimport standard_normal


# ---- poisson

cdef int64_t large_poisson(Generator generator, double rate) noexcept nogil:
    """Draw by Hoermann's PTRS, for a rate of 10 or more."""
    cdef double log_rate = log(rate)
    cdef double b = 0.931 + 2.53 * sqrt(rate)
    cdef double a = -0.059 + 0.02483 * b
    cdef double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    cdef double accepted = 0.9277 - 3.6224 / (b - 2)
    cdef double u, v, us, k
    while True:
        u = uniform_double(&generator.engine) - 0.5
        v = uniform_double(&generator.engine)
        us = 0.5 - fabs(u)
        k = floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= accepted:
            return <int64_t>k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b)
                <= -rate + k * log_rate - lgamma(k + 1)):
            return <int64_t>k


cdef int64_t small_poisson(Generator generator, double rate) noexcept nogil:
    """Return how many uniform numbers can be multiplied before the product falls to exp(-rate)."""
    cdef double bound = exp(-rate), product = 1.0
    cdef int64_t k = 0
    if rate == 0:
        return 0
    while True:
        product *= uniform_double(&generator.engine)
        if product <= bound:
            return k
        k += 1


cdef int raise_bad_rate() except -1 with gil:
    raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")


cdef int poisson(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 const char* rate, Py_ssize_t rate_step) except -1 nogil:
    cdef double rates[CHUNK]
    cdef int64_t chunk[CHUNK]
    cdef Py_ssize_t count, i
    cdef bint valid = True
    if not has_float_kernels(dtype):
        return not_implemented("poisson_cpu", dtype)
    generator.lock()
    while n > 0 and valid:
        count = chunk_of(n)
        widen(dtype, rate, rate_step, rates, count)
        for i in range(count):
            if not rates[i] >= 0:
                valid = False
                count = i
                break
            if rates[i] >= 10:
                chunk[i] = large_poisson(generator, rates[i])
            else:
                chunk[i] = small_poisson(generator, rates[i])
        emit(Int64, chunk, dtype, out, count, step)
        out += count * step
        rate += count * rate_step
        n -= count
    generator.unlock()
    return 0 if valid else raise_bad_rate()


# ---- gamma

cdef Real gamma_one(Generator generator, Real alpha) noexcept nogil:
    cdef double scale = 1.0, c, d, x, y, v, u, square
    cdef Real one = 1
    if alpha < 1:
        if alpha == 0:
            return 0
        # a shape below 1 is raised by one, and the sample multiplied by a power of a uniform number
        scale *= pow(1 - uniform_double(&generator.engine), one / alpha)
        alpha += one
    d = alpha - <float>1 / <float>3
    c = 1 / sqrt(9 * d)
    while True:
        while True:
            x = standard_normal(generator)
            y = 1 + c * x
            if not y <= 0:
                break
        v = y * y * y
        u = 1 - uniform_double(&generator.engine)
        square = x * x
        if u < 1 - <float>0.0331 * square * square:
            return <Real>(scale * d * v)
        if log(u) < 0.5 * square + d * (1 - v + log(v)):
            return <Real>(scale * d * v)


cdef void gammas(Generator generator, Real least, char* out, Py_ssize_t n, Py_ssize_t step,
                 const char* alpha, Py_ssize_t alpha_step) noexcept nogil:
    cdef Real drawn
    cdef Py_ssize_t i
    for i in range(n):
        drawn = gamma_one(generator, (<const Real*>(alpha + i * alpha_step))[0])
        (<Real*>(out + i * step))[0] = drawn if least < drawn else least


cdef int standard_gamma(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                        const char* alpha, Py_ssize_t alpha_step) except -1 nogil:
    if dtype != Float32 and dtype != Float64:
        return not_implemented("gamma_cpu", dtype)
    generator.lock()
    if dtype == Float32:
        gammas(generator, <float>1.1754943508222875e-38, out, n, step, alpha, alpha_step)
    else:
        gammas(generator, <double>2.2250738585072014e-308, out, n, step, alpha, alpha_step)
    generator.unlock()
    return 0


# ---- binomial

cdef double[10] STIRLING_TAILS = [
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
    0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
    0.00925546218271273, 0.00833056343336287]


cdef double stirling_tail(double k) noexcept nogil:
    """Return the error of Stirling's formula for log(k!)."""
    cdef double square
    if k < 10:
        return STIRLING_TAILS[<int>k]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


cdef Real few_successes(Generator generator, Real count, Real prob) noexcept nogil:
    """Add up the waiting times between successes until they exceed the count."""
    cdef double log_failure = log1pf(-prob) if Real is float else log1p(-prob)
    cdef double waited = 0
    cdef Real successes = 0, one = 1
    while True:
        waited += ceil(log(uniform_double(&generator.engine)) / log_failure)
        if waited > count:
            return successes
        successes = successes + one


cdef Real many_successes(Generator generator, Real count, Real prob) noexcept nogil:
    """Draw by Hoermann's BTRS, for an expectation of 10 or more and prob <= 0.5."""
    cdef Real one = 1
    cdef Real variance = count * prob * (one - prob)
    cdef double deviation = sqrtf(variance) if Real is float else sqrt(variance)
    cdef double b = 1.15 + 2.53 * deviation
    cdef double a = -0.0873 + 0.0248 * b + 0.01 * prob
    cdef double c = count * prob + 0.5
    cdef double accepted = 0.92 - 4.2 / b
    cdef double odds = prob / (one - prob)
    cdef double alpha = (2.83 + 5.1 / b) * deviation
    cdef double m = floorf((count + one) * prob) if Real is float else floor((count + one) * prob)
    cdef double u, v, us
    cdef Real k
    while True:
        u = uniform_double(&generator.engine) - 0.5
        v = uniform_double(&generator.engine)
        us = 0.5 - fabs(u)
        k = <Real>floor((2 * a / us + b) * u + c)
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= accepted:
            return k
        if (log(v * alpha / (a / (us * us) + b))
                <= ((m + 0.5) * log((m + 1) / (odds * (count - m + 1)))
                    + (count + one) * log((count - m + 1) / (count - k + one))
                    + (k + 0.5) * log(odds * (count - k + one) / (k + one))
                    + stirling_tail(m) + stirling_tail(count - m)
                    - stirling_tail(k) - stirling_tail(count - k))):
            return k


cdef Real binomial_one(Generator generator, Real count, Real prob) noexcept nogil:
    # count whatever is rarer, successes or failures
    cdef Real rarer = prob if prob <= 0.5 else <Real>(1.0 - prob)
    cdef Real drawn
    if count <= 0 or prob <= 0:
        return 0
    if prob >= 1:
        return count
    if isnan(prob) or isnan(count):     # PyTorch does not terminate for a count of nan
        return NAN
    if count * rarer >= 10:
        drawn = many_successes(generator, count, rarer)
    else:
        drawn = few_successes(generator, count, rarer)
    return drawn if prob <= 0.5 else count - drawn


cdef void binomials(Generator generator, const Real* _, char* out, Py_ssize_t n, Py_ssize_t step,
                    const char* count, Py_ssize_t count_step, const char* prob,
                    Py_ssize_t prob_step) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        (<Real*>(out + i * step))[0] = binomial_one(
            generator, (<const Real*>(count + i * count_step))[0],
            (<const Real*>(prob + i * prob_step))[0])


cdef int binomial(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                  const char* count, Py_ssize_t count_step, const char* prob,
                  Py_ssize_t prob_step) except -1 nogil:
    if dtype != Float32 and dtype != Float64:
        return not_implemented("binomial_cpu", dtype)
    generator.lock()
    if dtype == Float32:
        binomials(generator, <const float*>NULL, out, n, step, count, count_step, prob, prob_step)
    else:
        binomials(generator, <const double*>NULL, out, n, step, count, count_step, prob, prob_step)
    generator.unlock()
    return 0
