"""``multinomial``.

With replacement: the weights of a row are summed up, and a uniform number is looked up in the
sums by bisection. Without, or for a single sample: each weight is divided by an exponential
number, and the largest quotients win, which is a race of exponential clocks.

References
----------
P. S. Efraimidis and P. G. Spirakis, "Weighted random sampling with a reservoir" (2006).
PyTorch's counterparts are ``multinomial_out`` in ``ATen/native/Distributions.cpp`` and
``ATen/native/cpu/MultinomialKernel.cpp``.
"""

from libc.math cimport INFINITY, isinf
from libc.stdlib cimport free, malloc

from minitorch.core.dtype cimport Float16, Float32, Float64, is_floating, itemsizes
from minitorch.core.mt19937 cimport uniform_double
from minitorch.kernels.distributions cimport exponential_draws
from minitorch.kernels.half cimport float_to_half, half_to_float
from minitorch.kernels.random_chunks cimport not_implemented

cdef enum Verdict:
    VALID
    NEGATIVE
    NOT_FINITE
    NO_MASS
    INVALID             # one of the first two, in the words of sampling without replacement

ctypedef fused Real:
    float
    double


cdef int refuse(Verdict verdict) except -1 with gil:
    if verdict == NEGATIVE:
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry < 0)")
    if verdict == NOT_FINITE:
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    if verdict == INVALID:
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


cdef int refuse_memory() except -1 with gil:
    raise MemoryError()


cdef inline double weight(int dtype, const char* p, Py_ssize_t i) noexcept nogil:
    if dtype == Float64:
        return (<const double*>p)[i]
    if dtype == Float32:
        return (<const float*>p)[i]
    return half_to_float((<const unsigned short*>p)[i])


# ---- with replacement

cdef Verdict accumulate(int dtype, const char* p, Real* sums, Py_ssize_t categories) noexcept nogil:
    cdef Real total = 0, w
    cdef Py_ssize_t i
    for i in range(categories):
        w = <Real>weight(dtype, p, i)
        if not w >= 0:
            return NEGATIVE
        if isinf(w):
            return NOT_FINITE
        total = total + w
        sums[i] = total
    if not total > 0:
        return NO_MASS
    for i in range(categories):
        sums[i] = sums[i] / total
    sums[categories - 1] = 1
    return VALID


cdef Py_ssize_t look_up(const Real* sums, Py_ssize_t categories, double u) noexcept nogil:
    """The first sum that is not below u."""
    cdef Py_ssize_t low = 0, high = categories, middle
    while low < high:
        middle = low + (high - low) // 2
        if sums[middle] < u:
            low = middle + 1
        else:
            high = middle
    return low


cdef Verdict with_replacement(Generator generator, int dtype, const char* p, Py_ssize_t rows,
                              Py_ssize_t categories, int64_t* out, Py_ssize_t samples,
                              Real* sums) noexcept nogil:
    cdef Py_ssize_t row, j
    cdef Verdict verdict
    for row in range(rows):
        verdict = accumulate(dtype, p + row * categories * itemsizes[dtype], sums, categories)
        if verdict != VALID:
            return verdict
        for j in range(samples):
            out[row * samples + j] = look_up(
                sums, categories, uniform_double(&generator.engine))
    return VALID


# ---- without replacement

cdef Verdict check(int dtype, const char* p, Py_ssize_t rows, Py_ssize_t categories) noexcept nogil:
    cdef Py_ssize_t row, i
    cdef double w
    cdef bint mass, all_mass = True
    for row in range(rows):
        mass = False
        for i in range(categories):
            w = weight(dtype, p, row * categories + i)
            if not 0 <= w < INFINITY:
                return INVALID
            mass |= w > 0
        all_mass &= mass
    return VALID if all_mass else NO_MASS


cdef inline bint ahead(const double* score, int64_t a, int64_t b) noexcept nogil:
    return score[a] > score[b] or (score[a] == score[b] and a < b)


cdef void sift_down(const double* score, int64_t* heap, Py_ssize_t size,
                    Py_ssize_t at) noexcept nogil:
    """Restore the order of a heap whose root is behind all others."""
    cdef Py_ssize_t child
    cdef int64_t moved = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and ahead(score, heap[child], heap[child + 1]):
            child += 1
        if not ahead(score, moved, heap[child]):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moved


cdef void largest(const double* score, Py_ssize_t categories, int64_t* out,
                  Py_ssize_t samples) noexcept nogil:
    """The positions of the largest scores, best first; of equal ones the first."""
    cdef Py_ssize_t i
    cdef int64_t last
    for i in range(samples):
        out[i] = i
    for i in range(samples // 2 - 1, -1, -1):
        sift_down(score, out, samples, i)
    for i in range(samples, categories):
        if ahead(score, i, out[0]):
            out[0] = i
            sift_down(score, out, samples, 0)
    for i in range(samples - 1, 0, -1):
        last = out[i]
        out[i] = out[0]
        out[0] = last
        sift_down(score, out, i, 0)


cdef void race(Generator generator, int dtype, const char* p, Py_ssize_t categories,
               double* score) noexcept nogil:
    cdef Py_ssize_t i
    exponential_draws(generator, score, categories)
    if dtype == Float64:
        for i in range(categories):
            score[i] = (<const double*>p)[i] / score[i]
    elif dtype == Float32:
        for i in range(categories):
            score[i] = (<const float*>p)[i] / <float>score[i]
    else:
        for i in range(categories):
            score[i] = half_to_float(float_to_half(
                <float>weight(dtype, p, i) / half_to_float(float_to_half(<float>score[i]))))


cdef int multinomial(Generator generator, int dtype, const char* p, Py_ssize_t rows,
                     Py_ssize_t categories, int64_t* out, Py_ssize_t samples,
                     bint replacement) except -1 nogil:
    cdef Verdict verdict
    cdef Py_ssize_t row
    cdef double* scratch
    if not is_floating(dtype):
        return not_implemented("multinomial_kernel_cpu", dtype)
    if rows <= 0 or categories <= 0 or samples <= 0:
        return 0
    if not replacement or samples == 1:
        verdict = check(dtype, p, rows, categories)
        if verdict != VALID:
            return refuse(verdict)
    scratch = <double*>malloc(categories * sizeof(double))
    if scratch is NULL:
        return refuse_memory()
    generator.lock()
    if not replacement or samples == 1:
        verdict = VALID
        for row in range(rows):
            race(generator, dtype, p + row * categories * itemsizes[dtype], categories, scratch)
            largest(scratch, categories, out + row * samples, samples)
    elif dtype == Float64:
        verdict = with_replacement(
            generator, dtype, p, rows, categories, out, samples, scratch)
    else:
        verdict = with_replacement(
            generator, dtype, p, rows, categories, out, samples, <float*>scratch)
    generator.unlock()
    free(scratch)
    return 0 if verdict == VALID else refuse(verdict)
