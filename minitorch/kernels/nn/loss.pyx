"""The negative log likelihood of class targets and its derivative.

loss = -w[target] log_probs[target], summed, or averaged with the weights w. Sums are float64.
"""

from libc.string cimport memset

from minitorch.core.dtype cimport BFloat16, Float16, Float32, Float64
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.types cimport Floating


cdef inline double _real(const Floating* p) noexcept nogil:
    if Floating in narrow_t:
        return to_float(p[0])
    else:
        return p[0]


cdef inline void _store(Floating* p, double v) noexcept nogil:
    if Floating in narrow_t:
        store_float(p, <float>v)
    else:
        p[0] = <Floating>v


# ---- sums of 16 bits, in PyTorch's order: each addition is rounded

cdef enum:
    LEVELS = 8

# sums of `step` numbers, of step**2, ...; each is added to the next one and reset
cdef struct Cascade:
    float[LEVELS] sums
    int power                  # step = 2**power


cdef void _start(Cascade* c, Py_ssize_t n) noexcept nogil:
    cdef int bits = 0
    while (<Py_ssize_t>1 << bits) < n:
        bits += 1
    c.power = bits // LEVELS if bits // LEVELS > 4 else 4
    memset(c.sums, 0, sizeof(c.sums))


cdef inline float _rounded(double v, const Floating* tag) noexcept nogil:
    cdef Floating narrow
    _store(&narrow, v)
    return <float>_real(&narrow)


cdef inline void _cascade(Cascade* c, Py_ssize_t position, double v,
                          const Floating* tag) noexcept nogil:
    cdef int j
    c.sums[0] = _rounded(c.sums[0] + _rounded(v, tag), tag)
    for j in range(LEVELS - 1):
        if position & (((<Py_ssize_t>1 << c.power) - 1) << (j * c.power)):
            break
        c.sums[j + 1] = _rounded(c.sums[j + 1] + c.sums[j], tag)
        c.sums[j] = 0


cdef inline float _sum(const Cascade* c, const Floating* tag) noexcept nogil:
    cdef float total = 0
    cdef int j
    for j in range(LEVELS):
        total = _rounded(total + c.sums[j], tag)
    return total


# ---- the loss

cdef int _forward(const Floating* log_probs, const int64_t* target, const Floating* weight,
                  int reduction, int64_t ignore_index, Floating* loss, Floating* total_weight,
                  Py_ssize_t n, Py_ssize_t c, Py_ssize_t s, int64_t* bad_target) noexcept nogil:
    cdef double total = 0, weights = 0, w, v
    cdef Cascade losses, weight_sums
    cdef Py_ssize_t i, j
    cdef int64_t k
    if Floating in narrow_t:
        _start(&losses, n * s)
        _start(&weight_sums, n * s)
    for i in range(n):
        for j in range(s):
            k = target[i * s + j]
            v = 0
            if k != ignore_index:
                if k < 0 or k >= c:
                    bad_target[0] = k
                    return 2
                w = _real(weight + k) if weight != NULL else 1
                v = -w * _real(log_probs + (i * c + k) * s + j)
                if Floating in narrow_t:
                    _cascade(&losses, i * s + j, v, loss)
                    if weight != NULL:
                        _cascade(&weight_sums, i * s + j, w, loss)
                weights += w
            if reduction == REDUCE_NONE:
                _store(loss + i * s + j, v)
            else:
                total += v
    if Floating in narrow_t:
        total = _sum(&losses, loss)
        if weight != NULL:
            weights = _sum(&weight_sums, loss)
        else:
            weights = _rounded(weights, loss)
    if reduction == REDUCE_MEAN:
        total /= weights
    if reduction != REDUCE_NONE:
        _store(loss, total)
    _store(total_weight, 0 if reduction == REDUCE_NONE else weights)
    return 0


cdef int _backward(const Floating* grad_loss, const int64_t* target, const Floating* weight,
                   int reduction, int64_t ignore_index, const Floating* total_weight,
                   Floating* grad_input, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                   int64_t* bad_target) noexcept nogil:
    cdef double scale = 0
    cdef Py_ssize_t i, j
    cdef int64_t k
    memset(grad_input, 0, n * c * s * sizeof(Floating))
    if reduction != REDUCE_NONE:
        scale = -_real(grad_loss)
    if reduction == REDUCE_MEAN:
        scale /= _real(total_weight)
    for i in range(n):
        for j in range(s):
            k = target[i * s + j]
            if k == ignore_index:
                continue
            if k < 0 or k >= c:
                bad_target[0] = k
                return 2
            if reduction == REDUCE_NONE:
                scale = -_real(grad_loss + i * s + j)
            _store(grad_input + (i * c + k) * s + j,
                   scale * _real(weight + k) if weight != NULL else scale)
    return 0


cdef int nll_loss_kernel(const char* log_probs, const char* target, const char* weight,
                         int reduction, int64_t ignore_index, char* loss, char* total_weight,
                         Py_ssize_t n, Py_ssize_t c, Py_ssize_t s, int dtype,
                         int64_t* bad_target) noexcept nogil:
    if dtype == Float32:
        return _forward(<const float*>log_probs, <const int64_t*>target, <const float*>weight,
                        reduction, ignore_index, <float*>loss, <float*>total_weight, n, c, s,
                        bad_target)
    if dtype == Float64:
        return _forward(<const double*>log_probs, <const int64_t*>target, <const double*>weight,
                        reduction, ignore_index, <double*>loss, <double*>total_weight, n, c, s,
                        bad_target)
    if dtype == Float16:
        return _forward(<const half_t*>log_probs, <const int64_t*>target,
                        <const half_t*>weight, reduction, ignore_index, <half_t*>loss,
                        <half_t*>total_weight, n, c, s, bad_target)
    if dtype == BFloat16:
        return _forward(<const bfloat16_t*>log_probs, <const int64_t*>target,
                        <const bfloat16_t*>weight, reduction, ignore_index, <bfloat16_t*>loss,
                        <bfloat16_t*>total_weight, n, c, s, bad_target)
    return 1


cdef int nll_loss_backward_kernel(const char* grad_loss, const char* target, const char* weight,
                                  int reduction, int64_t ignore_index, const char* total_weight,
                                  char* grad_input, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                  int dtype, int64_t* bad_target) noexcept nogil:
    if dtype == Float32:
        return _backward(<const float*>grad_loss, <const int64_t*>target, <const float*>weight,
                         reduction, ignore_index, <const float*>total_weight, <float*>grad_input,
                         n, c, s, bad_target)
    if dtype == Float64:
        return _backward(<const double*>grad_loss, <const int64_t*>target, <const double*>weight,
                         reduction, ignore_index, <const double*>total_weight,
                         <double*>grad_input, n, c, s, bad_target)
    if dtype == Float16:
        return _backward(<const half_t*>grad_loss, <const int64_t*>target,
                         <const half_t*>weight, reduction, ignore_index,
                         <const half_t*>total_weight, <half_t*>grad_input, n, c, s,
                         bad_target)
    if dtype == BFloat16:
        return _backward(<const bfloat16_t*>grad_loss, <const int64_t*>target,
                         <const bfloat16_t*>weight, reduction, ignore_index,
                         <const bfloat16_t*>total_weight, <bfloat16_t*>grad_input, n, c, s,
                         bad_target)
    return 1
