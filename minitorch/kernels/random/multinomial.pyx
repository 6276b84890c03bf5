"""Sampling of categories: ``multinomial``.

With replacement, the weights of a row are accumulated, and a uniform number is looked up in the sums by
bisection. Without replacement, or for a single sample, each weight is divided by an exponential number and the
largest quotients are taken, which is a race of exponential clocks.

References
----------
P. S. Efraimidis and P. G. Spirakis, "Weighted random sampling with a reservoir" (2006).
PyTorch's counterparts are ``multinomial_out`` in ``ATen/native/Distributions.cpp`` and
``ATen/native/cpu/MultinomialKernel.cpp``.
"""

from libc.math cimport INFINITY, isinf
from libc.stdlib cimport free, malloc

from minitorch.core.dtype cimport Float16, Float32, Float64, has_float_kernels, itemsizes
from minitorch.core.mt19937 cimport uniform_double
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.random.chunks cimport not_implemented
from minitorch.kernels.random.distributions cimport exponential_draws

cdef enum Verdict:
    VALID
    NEGATIVE
    NOT_FINITE
    NO_MASS
    TOO_FEW
    INVALID             # like the first two, with the message of sampling without replacement


cdef int raise_verdict(Verdict verdict) except -1 with gil:
    if verdict == NEGATIVE:
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry < 0)")
    if verdict == NOT_FINITE:
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    if verdict == INVALID:
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if verdict == TOO_FEW:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


cdef int raise_memory_error() except -1 with gil:
    raise MemoryError()


cdef inline double weight(int dtype, const char* p, Py_ssize_t i) noexcept nogil:
    if dtype == Float64:
        return (<const double*>p)[i]
    if dtype == Float32:
        return (<const float*>p)[i]
    if dtype == Float16:
        return to_float((<const half_t*>p)[i])
    return to_float((<const bfloat16_t*>p)[i])


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
    """Return the position of the first sum that is not below u."""
    # without a branch that depends on u: half of them would be mispredicted
    cdef Py_ssize_t low = 0, length = categories, half
    while length > 1:
        half = length // 2
        low += half if sums[low + half - 1] < u else 0
        length -= half
    return low + (sums[low] < u)


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


cdef struct Candidate:
    double score
    int64_t category


cdef inline bint ahead(const Candidate* a, const Candidate* b) noexcept nogil:
    return a.score > b.score or (a.score == b.score and a.category < b.category)


cdef inline void swap(Candidate* a, Candidate* b) noexcept nogil:
    cdef Candidate held = a[0]
    a[0] = b[0]
    b[0] = held


cdef void insertion_sort(Candidate* a, Py_ssize_t n) noexcept nogil:
    cdef Candidate moved
    cdef Py_ssize_t i, j
    for i in range(1, n):
        moved = a[i]
        j = i
        while j > 0 and ahead(&moved, &a[j - 1]):
            a[j] = a[j - 1]
            j -= 1
        a[j] = moved


cdef Py_ssize_t partition(Candidate* a, Py_ssize_t n) noexcept nogil:
    """Partition around the median of three, like Hoare; return how many come first (not all, not 0)."""
    cdef Candidate pivot
    cdef Py_ssize_t i = -1, j = n
    if ahead(&a[n // 2], &a[0]):
        swap(&a[n // 2], &a[0])
    if ahead(&a[n - 1], &a[n // 2]):
        swap(&a[n - 1], &a[n // 2])
        if ahead(&a[n // 2], &a[0]):
            swap(&a[n // 2], &a[0])
    pivot = a[n // 2]
    while True:
        i += 1
        while ahead(&a[i], &pivot):
            i += 1
        j -= 1
        while ahead(&pivot, &a[j]):
            j -= 1
        if i >= j:
            return j + 1
        swap(&a[i], &a[j])


cdef void sort_front(Candidate* a, Py_ssize_t n, Py_ssize_t wanted) noexcept nogil:
    """Move the best `wanted` of n to the front, in order, by quicksort of the parts that reach there."""
    cdef Py_ssize_t split
    while n > 16 and wanted > 0:
        split = partition(a, n)
        if split <= n // 2:
            sort_front(a, split, wanted)
            a += split
            n -= split
            wanted -= split
        else:
            sort_front(a + split, n - split, wanted - split)
            n = split
    if wanted > 0:
        insertion_sort(a, n)


cdef int64_t best(const double* score, Py_ssize_t categories) noexcept nogil:
    """Return the position of the largest score, the first one of equal scores."""
    cdef Py_ssize_t i, leader = 0
    for i in range(1, categories):
        if score[i] > score[leader]:
            leader = i
    return leader


cdef inline Py_ssize_t candidates_kept(Py_ssize_t categories, Py_ssize_t samples) noexcept nogil:
    """Return the room that best_of needs to process some candidates at a time."""
    return categories if samples > categories // 2 - 32 else 2 * samples + 64


cdef void best_of(const double* score, Candidate* kept, Py_ssize_t categories, int64_t* out,
                  Py_ssize_t samples) noexcept nogil:
    """Store the positions of the largest scores, best first; of equal scores the first."""
    cdef Py_ssize_t room = candidates_kept(categories, samples), n = 0, i
    cdef double bar = -INFINITY             # scores must be above this to be among the best
    for i in range(categories):
        if n == room:
            sort_front(kept, n, samples)
            n = samples
            bar = kept[n - 1].score
        if not score[i] <= bar:
            kept[n].score = score[i]
            kept[n].category = i
            n += 1
    sort_front(kept, n, samples)
    for i in range(samples):
        out[i] = kept[i].category


cdef inline float narrow_ratio(const narrow_t* weight, float draw) noexcept nogil:
    cdef narrow_t rounded
    store_float(&rounded, draw)
    store_float(&rounded, to_float(weight[0]) / to_float(rounded))
    return to_float(rounded)


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
            if dtype == Float16:
                score[i] = narrow_ratio(<const half_t*>p + i, <float>score[i])
            else:
                score[i] = narrow_ratio(<const bfloat16_t*>p + i, <float>score[i])


cdef int multinomial(Generator generator, int dtype, const char* p, Py_ssize_t rows,
                     Py_ssize_t categories, int64_t* out, Py_ssize_t samples,
                     bint replacement) except -1 nogil:
    cdef Verdict verdict
    cdef Py_ssize_t row
    cdef double* scratch
    if not has_float_kernels(dtype):
        return not_implemented("multinomial_kernel_cpu", dtype)
    if not replacement and samples > categories:
        return raise_verdict(TOO_FEW)
    if rows <= 0 or categories <= 0 or samples <= 0:
        return 0
    if not replacement or samples == 1:
        verdict = check(dtype, p, rows, categories)
        if verdict != VALID:
            return raise_verdict(verdict)
    # the scores or sums, followed by the candidates if there is something to sort
    scratch = <double*>malloc(categories * sizeof(double) + (
        0 if replacement or samples == 1
        else candidates_kept(categories, samples) * sizeof(Candidate)))
    if scratch is NULL:
        return raise_memory_error()
    generator.lock()
    if not replacement or samples == 1:
        verdict = VALID
        for row in range(rows):
            race(generator, dtype, p + row * categories * itemsizes[dtype], categories, scratch)
            if samples == 1:
                out[row] = best(scratch, categories)
            else:
                best_of(scratch, <Candidate*>(scratch + categories), categories,
                        out + row * samples, samples)
    elif dtype == Float64:
        verdict = with_replacement(
            generator, dtype, p, rows, categories, out, samples, scratch)
    else:
        verdict = with_replacement(
            generator, dtype, p, rows, categories, out, samples, <float*>scratch)
    generator.unlock()
    free(scratch)
    return 0 if verdict == VALID else raise_verdict(verdict)
