"""The softmax of attention, between its two matrix products."""

from libc.math cimport INFINITY, log

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.softmax_math cimport exp_nonpositive
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.reduction.fold cimport FOLD_MAX, FOLD_SUM, fold_extreme_row, fold_lanes

cdef enum:
    LANES = 32


cdef inline inlined _scaled(Scores* s, Real* row, Py_ssize_t head, Py_ssize_t i,
                            Py_ssize_t n) noexcept nogil:
    """Multiply the scores of a row by the scale and add the mask."""
    cdef Real scale = <Real>s.scale
    cdef Py_ssize_t j, step = s.mask.col_stride
    cdef Real* mask
    if s.mask.data == NULL:
        for j in range(n):
            row[j] *= scale
        return
    mask = <Real*>s.mask.data + head * s.mask.head_stride + i * s.mask.row_stride
    if step == 1:
        for j in range(n):
            row[j] = row[j] * scale + mask[j]
    else:
        for j in range(n):
            row[j] = row[j] * scale + mask[j * step]


cdef inline inlined _exponentials_of(Real* row, Py_ssize_t n, Real shift,
                                     Real* total) noexcept nogil:
    cdef Real[LANES] lane
    cdef Real[LANES] rest
    cdef Py_ssize_t i = 0, j
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= n:
        for j in range(LANES):
            row[i + j] = exp_nonpositive(row[i + j] - shift)
            lane[j] += row[i + j]
        i += LANES
    if i < n:
        for j in range(LANES):
            rest[j] = row[i + j] - shift if j < n - i else -INFINITY
        for j in range(LANES):
            rest[j] = exp_nonpositive(rest[j])
            lane[j] += rest[j]
        for j in range(LANES):
            if j < n - i:
                row[i + j] = rest[j]
    fold_lanes(lane, FOLD_SUM)
    total[0] = lane[0]


cdef inline inlined _row(Scores* s, Real* tag, Py_ssize_t r, bint again) noexcept nogil:
    cdef Py_ssize_t head = r // s.rows, i = r % s.rows, j
    cdef Py_ssize_t n = i + 1 if s.causal and i + 1 < s.n else s.n
    cdef Real* row = <Real*>s.data + r * s.n
    cdef Real* lse = <Real*>s.lse + head * s.lse_head_stride + i * s.lse_row_stride
    cdef Real most, total
    _scaled(s, row, head, i, n)
    if again:
        _exponentials_of(row, n, lse[0], &total)
    else:
        fold_extreme_row(row, n, &most, FOLD_MAX)
        if most == -INFINITY:
            most = 0
        _exponentials_of(row, n, most, &total)
        (<Real*>s.sums)[r] = 1 if total == 0 else total
        lse[0] = 0 if total == 0 else most + <Real>log(total)
    for j in range(n, s.n):
        row[j] = 0


cdef simd _rows(Scores* s, Py_ssize_t start, Py_ssize_t end, bint again) noexcept nogil:
    cdef Py_ssize_t r
    for r in range(start, end):
        if s.dtype == Float32:
            _row(s, <float*>NULL, r, again)
        else:
            _row(s, <double*>NULL, r, again)


cdef inline inlined _gradient_row(Scores* s, Real* weights, Real* grad) noexcept nogil:
    cdef Real[LANES] lane
    cdef Real scale = <Real>s.scale, total
    cdef Py_ssize_t i = 0, j
    for j in range(LANES):
        lane[j] = 0
    while i + LANES <= s.n:
        for j in range(LANES):
            lane[j] += weights[i + j] * grad[i + j]
        i += LANES
    fold_lanes(lane, FOLD_SUM)
    total = lane[0]
    for j in range(i, s.n):
        total += weights[j] * grad[j]
    for j in range(s.n):
        grad[j] = weights[j] * (grad[j] - total) * scale


cdef simd _gradient_rows(Scores* s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t r
    for r in range(start, end):
        if s.dtype == Float32:
            _gradient_row(s, <float*>s.data + r * s.n, <float*>s.grad + r * s.n)
        else:
            _gradient_row(s, <double*>s.data + r * s.n, <double*>s.grad + r * s.n)


cdef inline int _threads(Scores* s) noexcept nogil:
    cdef int threads = threads_for(s.heads * s.rows * s.n)
    return threads if threads < s.heads * s.rows else 1


cdef void _all_rows(Scores* s, bint again) noexcept nogil:
    cdef Py_ssize_t rows = s.heads * s.rows
    cdef int t, threads = _threads(s)
    if threads == 1:
        _rows(s, 0, rows, again)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _rows(s, rows * t // threads, rows * (t + 1) // threads, again)


cdef void exponentials(Scores* s) noexcept nogil:
    _all_rows(s, False)


cdef void weights_again(Scores* s) noexcept nogil:
    _all_rows(s, True)


cdef void scores_gradient(Scores* s) noexcept nogil:
    cdef Py_ssize_t rows = s.heads * s.rows
    cdef int t, threads = _threads(s)
    if threads == 1:
        _gradient_rows(s, 0, rows)
    else:
        for t in prange(threads, num_threads=threads, schedule="static", chunksize=1):
            _gradient_rows(s, rows * t // threads, rows * (t + 1) // threads)
