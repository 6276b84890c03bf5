# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno -ffp-contract=off
"""The updates of SGD and of Adam.

Note [Rounding of a fused step]
A step is defined by the operators it consists of, each of which rounds its result. The loops round at the same
places and are compiled without contraction of ``a * b + c``, which would round once less. This costs nothing,
since a step is limited by memory and not by arithmetic. Options select between two results that are both
computed, since a branch would prevent vectorisation.
"""

from cython.parallel import prange

from minitorch.core.dtype cimport Float32, itemsizes
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, square_root

cdef enum:
    SGD_PICOSECONDS = 400           # per element on one thread, roughly
    ADAM_PICOSECONDS = 1200


# ---- SGD

cdef simd sgd_plain(Real* p, const Real* grad, Py_ssize_t n, const SgdStep* o) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real rate = <Real>(o.lr if o.maximize else -o.lr)
    for i in range(n):
        p[i] = p[i] + rate * grad[i]


cdef simd sgd_decayed(Real* p, const Real* grad, Py_ssize_t n, const SgdStep* o) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real rate = <Real>-o.lr, decay = <Real>o.weight_decay, sign = -1 if o.maximize else 1
    for i in range(n):
        p[i] = p[i] + rate * (sign * grad[i] + decay * p[i])


cdef simd sgd_momentum(Real* p, const Real* grad, Real* velocity, Py_ssize_t n,
                       const SgdStep* o) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real g, v, other
    cdef Real rate = <Real>-o.lr, decay = <Real>o.weight_decay, sign = -1 if o.maximize else 1
    cdef Real momentum = <Real>o.momentum, kept = <Real>o.kept
    cdef bint decays = o.weight_decay != 0, first = o.first, nesterov = o.nesterov
    for i in range(n):
        g = sign * grad[i]
        other = g + decay * p[i]
        g = other if decays else g
        v = velocity[i] * momentum + kept * g
        v = g if first else v
        velocity[i] = v
        other = g + momentum * v
        v = other if nesterov else v
        p[i] = p[i] + rate * v


cdef void sgd_range(Real* p, const Real* grad, Real* velocity, Py_ssize_t begin, Py_ssize_t end,
                    const SgdStep* o) noexcept nogil:
    if velocity != NULL:
        sgd_momentum(p + begin, grad + begin, velocity + begin, end - begin, o)
    elif o.weight_decay != 0:
        sgd_decayed(p + begin, grad + begin, end - begin, o)
    else:
        sgd_plain(p + begin, grad + begin, end - begin, o)


cdef void sgd_part(char* p, const char* grad, char* velocity, Py_ssize_t begin, Py_ssize_t end,
                   int dtype, const SgdStep* o) noexcept nogil:
    if dtype == Float32:
        sgd_range(<float*>p, <const float*>grad, <float*>velocity, begin, end, o)
    else:
        sgd_range(<double*>p, <const double*>grad, <double*>velocity, begin, end, o)


cdef void sgd_step(char* p, const char* grad, char* velocity, Py_ssize_t n, int dtype,
                   const SgdStep* o) noexcept nogil:
    cdef int t, threads = threads_for(n * itemsizes[dtype] // 4 * SGD_PICOSECONDS // 1000)
    if threads == 1:
        sgd_part(p, grad, velocity, 0, n, dtype, o)
        return
    for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
        sgd_part(p, grad, velocity, n * t // threads, n * (t + 1) // threads, dtype, o)


# ---- Adam

cdef inline Real towards(Real m, Real g, Real weight, bint near) noexcept nogil:
    # like lerp, from the nearer end
    cdef Real change = g - m
    cdef Real near_m = m + change * weight
    cdef Real near_g = g - change * (1 - weight)
    return near_m if near else near_g


cdef simd adam_loop(Real* p, const Real* grad, Real* mean, Real* square, Py_ssize_t n,
                    const AdamStep* o) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real g, x, m, v, decayed
    cdef Real decay = <Real>o.weight_decay, keep = <Real>o.keep, sign = -1 if o.maximize else 1
    cdef Real weight1 = <Real>o.weight1, beta2 = <Real>o.beta2, weight2 = <Real>(1 - o.beta2)
    cdef Real size = <Real>-o.size, root = <Real>o.root, eps = <Real>o.eps
    cdef bint decays = o.weight_decay != 0, near = absolute(weight1) < <Real>0.5
    for i in range(n):
        x = p[i] * keep
        g = sign * grad[i]
        decayed = g + decay * x
        g = decayed if decays else g
        m = towards(mean[i], g, weight1, near)
        mean[i] = m
        v = square[i] * beta2 + weight2 * g * g
        square[i] = v
        p[i] = x + size * m / (square_root(v) / root + eps)


cdef simd amsgrad_loop(Real* p, const Real* grad, Real* mean, Real* square, Real* largest,
                       Py_ssize_t n, const AdamStep* o) noexcept nogil:
    cdef Py_ssize_t i
    cdef Real g, x, m, v, w, decayed
    cdef Real decay = <Real>o.weight_decay, keep = <Real>o.keep, sign = -1 if o.maximize else 1
    cdef Real weight1 = <Real>o.weight1, beta2 = <Real>o.beta2, weight2 = <Real>(1 - o.beta2)
    cdef Real size = <Real>-o.size, root = <Real>o.root, eps = <Real>o.eps
    cdef bint decays = o.weight_decay != 0, near = absolute(weight1) < <Real>0.5
    for i in range(n):
        x = p[i] * keep
        g = sign * grad[i]
        decayed = g + decay * x
        g = decayed if decays else g
        m = towards(mean[i], g, weight1, near)
        mean[i] = m
        v = square[i] * beta2 + weight2 * g * g
        square[i] = v
        # nan in either of the two is propagated
        w = largest[i]
        v = w if w >= v else v
        v = w if w != w else v
        largest[i] = v
        p[i] = x + size * m / (square_root(v) / root + eps)


cdef void adam_range(Real* p, const Real* grad, Real* mean, Real* square, Real* largest,
                     Py_ssize_t n, const AdamStep* o) noexcept nogil:
    if largest == NULL:
        adam_loop(p, grad, mean, square, n, o)
    else:
        amsgrad_loop(p, grad, mean, square, largest, n, o)


cdef void adam_part(char* p, const char* grad, char* mean, char* square, char* largest,
                    Py_ssize_t begin, Py_ssize_t end, int dtype, const AdamStep* o) noexcept nogil:
    cdef Py_ssize_t start = begin * itemsizes[dtype], n = end - begin
    cdef char* most = largest + start if largest != NULL else NULL
    if dtype == Float32:
        adam_range(<float*>(p + start), <const float*>(grad + start), <float*>(mean + start),
                   <float*>(square + start), <float*>most, n, o)
    else:
        adam_range(<double*>(p + start), <const double*>(grad + start), <double*>(mean + start),
                   <double*>(square + start), <double*>most, n, o)


cdef void adam_step(char* p, const char* grad, char* mean, char* square, char* largest,
                    Py_ssize_t n, int dtype, const AdamStep* o) noexcept nogil:
    cdef int t, threads = threads_for(n * itemsizes[dtype] // 4 * ADAM_PICOSECONDS // 1000)
    if threads == 1:
        adam_part(p, grad, mean, square, largest, 0, n, dtype, o)
        return
    for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
        adam_part(p, grad, mean, square, largest, n * t // threads, n * (t + 1) // threads,
                  dtype, o)
