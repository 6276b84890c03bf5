# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Distances between rows, computed from the definition as sums over |a - b| ** p.

The sum over a row consists of LANES partial sums, which gcc keeps in a vector.
"""

from libc.math cimport INFINITY, fabs, pow, sqrt
from libc.string cimport memset

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.blocks cimport BLOCK
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport POW_SCALAR, Kernel, unary_row
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute

cdef enum:
    LANES = 16


cdef inline Real _term(Real d, int p) noexcept nogil:
    """Return |d| ** p for p of 2, 1 or 0; nan gives nan."""
    cdef Real differs = <Real>1.0 if d != 0 else <Real>0.0
    differs = d if d != d else differs
    return d * d if p == 2 else absolute(d) if p == 1 else differs


cdef inline Real _total(Real* sums) noexcept nogil:
    """Return the sum of LANES numbers, added pairwise."""
    cdef int lane
    for lane in range(8):
        sums[lane] += sums[lane + 8]
    for lane in range(4):
        sums[lane] += sums[lane + 4]
    return (sums[0] + sums[2]) + (sums[1] + sums[3])


cdef inline double _sum(const Real* a, const Real* b, Py_ssize_t n, int p) noexcept nogil:
    cdef Real[LANES] sums
    cdef double total
    cdef Py_ssize_t k = 0
    cdef int lane
    for lane in range(LANES):
        sums[lane] = 0
    while k + LANES <= n:
        for lane in range(LANES):
            sums[lane] += _term(a[k + lane] - b[k + lane], p)
        k += LANES
    total = _total(sums)
    while k < n:
        total += _term(a[k] - b[k], p)
        k += 1
    return total


cdef inline Real _largest(const Real* a, const Real* b, Py_ssize_t n) noexcept nogil:
    cdef Real[LANES] most
    cdef Real[LANES] sums           # keeps nan, which a maximum would drop
    cdef Real largest = 0, total, d
    cdef Py_ssize_t k = 0
    cdef int lane
    for lane in range(LANES):
        most[lane] = sums[lane] = 0
    while k + LANES <= n:
        for lane in range(LANES):
            d = absolute(a[k + lane] - b[k + lane])
            most[lane] = d if d > most[lane] else most[lane]
            sums[lane] += d
        k += LANES
    for lane in range(8):
        most[lane] = most[lane + 8] if most[lane + 8] > most[lane] else most[lane]
    for lane in range(8):
        largest = most[lane] if most[lane] > largest else largest
    total = _total(sums)
    while k < n:
        d = absolute(a[k] - b[k])
        largest = d if d > largest else largest
        total += d
        k += 1
    return largest if total == total else total


cdef double _sum_of_powers(const Real* a, const Real* b, Py_ssize_t n, double p) noexcept nogil:
    cdef double[BLOCK] terms
    cdef double total = 0
    cdef Kernel* power = &unary_row(POW_SCALAR)[<int>Float64]
    cdef Py_ssize_t* steps = [8, 8]
    cdef char** operands = [<char*>terms, <char*>terms]
    cdef Py_ssize_t start = 0, count, k
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        for k in range(count):
            terms[k] = absolute(<double>a[start + k] - b[start + k])
        power.loop(operands, &count, steps, &p)
        for k in range(count):
            total += terms[k]
        start += count
    return total


cdef simd _distances(const Real* a, const Real* rows, Py_ssize_t count, Py_ssize_t n, double p,
                     Real* out) noexcept nogil:
    """Compute the distances of the row a from each of `count` rows of n columns."""
    cdef Py_ssize_t i
    if p == 2:
        for i in range(count):
            out[i] = <Real>sqrt(_sum(a, rows + i * n, n, 2))
    elif p == 1:
        for i in range(count):
            out[i] = <Real>_sum(a, rows + i * n, n, 1)
    elif p == 0:
        for i in range(count):
            out[i] = <Real>_sum(a, rows + i * n, n, 0)
    elif p == INFINITY:
        for i in range(count):
            out[i] = _largest(a, rows + i * n, n)
    else:
        for i in range(count):
            out[i] = <Real>pow(_sum_of_powers(a, rows + i * n, n, p), 1 / p)


cdef inline double _sign(double x) noexcept nogil:
    return x if x != x else <double>((x > 0) - (x < 0))


cdef inline void _spread(const Real* a, const Real* b, Py_ssize_t n, double p, double grad,
                         double dist, Real* to_a, Real* to_b) noexcept nogil:
    """Add the derivative of a distance to the gradient of a, and its negative to that of b (or NULL)."""
    cdef Py_ssize_t k
    cdef double d, x, gap, scale
    if p == 0 or grad == 0 or (dist == 0 and p != 1 and p != INFINITY):
        return
    scale = grad / dist if p == 2 else grad if p == 1 or p == INFINITY else \
        grad / pow(dist, p - 1)
    for k in range(n):
        d = <double>a[k] - b[k]
        if p == 2:
            x = d * scale
        elif p == 1:
            x = _sign(d) * scale
        elif p == INFINITY:
            # nan if both are infinite or one is nan, as in PyTorch
            gap = <Real>fabs(d) - <Real>dist
            x = gap if gap != gap else _sign(d) * scale * (gap == 0)
        elif d == 0:
            x = 0 * scale if p > 1 else 0
        else:
            x = _sign(d) * pow(fabs(d), p - 1) * scale
        to_a[k] = <Real>(to_a[k] + x)
        if to_b != NULL:
            to_b[k] = <Real>(to_b[k] - x)


cdef void _cdist(const Real* x1, const Real* x2, Py_ssize_t rows1, Py_ssize_t rows2,
                 Py_ssize_t cols, double p, Real* out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(rows1):
        _distances(x1 + i * cols, x2, rows2, cols, p, out + i * rows2)


cdef bint cdist(int dtype, Py_ssize_t rows1, Py_ssize_t rows2, Py_ssize_t cols, const char* x1,
                const char* x2, double p, char* out) noexcept nogil:
    if dtype == Float32:
        _cdist(<const float*>x1, <const float*>x2, rows1, rows2, cols, p, <float*>out)
    elif dtype == Float64:
        _cdist(<const double*>x1, <const double*>x2, rows1, rows2, cols, p, <double*>out)
    else:
        return False
    return True


cdef void _cdist_backward(const Real* grad, const Real* x1, const Real* x2, Py_ssize_t rows1,
                          Py_ssize_t rows2, Py_ssize_t cols, double p, const Real* dist,
                          Real* grad_x1) noexcept nogil:
    cdef Py_ssize_t i, j
    memset(grad_x1, 0, rows1 * cols * sizeof(Real))
    for i in range(rows1):
        for j in range(rows2):
            _spread(x1 + i * cols, x2 + j * cols, cols, p, grad[i * rows2 + j],
                    dist[i * rows2 + j], grad_x1 + i * cols, <Real*>NULL)


cdef bint cdist_backward(int dtype, Py_ssize_t rows1, Py_ssize_t rows2, Py_ssize_t cols,
                         const char* grad, const char* x1, const char* x2, double p,
                         const char* dist, char* grad_x1) noexcept nogil:
    if dtype == Float32:
        _cdist_backward(<const float*>grad, <const float*>x1, <const float*>x2, rows1, rows2, cols,
                        p, <const float*>dist, <float*>grad_x1)
    elif dtype == Float64:
        _cdist_backward(<const double*>grad, <const double*>x1, <const double*>x2, rows1, rows2,
                        cols, p, <const double*>dist, <double*>grad_x1)
    else:
        return False
    return True


cdef void _pdist(const Real* x, Py_ssize_t rows, Py_ssize_t cols, double p,
                 Real* out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(rows - 1):
        _distances(x + i * cols, x + (i + 1) * cols, rows - 1 - i, cols, p, out)
        out += rows - 1 - i


cdef bint pdist(int dtype, Py_ssize_t rows, Py_ssize_t cols, const char* x, double p,
                char* out) noexcept nogil:
    if dtype == Float32:
        _pdist(<const float*>x, rows, cols, p, <float*>out)
    elif dtype == Float64:
        _pdist(<const double*>x, rows, cols, p, <double*>out)
    else:
        return False
    return True


cdef void _pdist_backward(const Real* grad, const Real* x, Py_ssize_t rows, Py_ssize_t cols,
                          double p, const Real* dist, Real* grad_x) noexcept nogil:
    cdef Py_ssize_t i, j
    memset(grad_x, 0, rows * cols * sizeof(Real))
    for i in range(rows):
        for j in range(i + 1, rows):
            _spread(x + i * cols, x + j * cols, cols, p, grad[0], dist[0], grad_x + i * cols,
                    grad_x + j * cols)
            grad += 1
            dist += 1


cdef bint pdist_backward(int dtype, Py_ssize_t rows, Py_ssize_t cols, const char* grad,
                         const char* x, double p, const char* dist, char* grad_x) noexcept nogil:
    if dtype == Float32:
        _pdist_backward(<const float*>grad, <const float*>x, rows, cols, p, <const float*>dist,
                        <float*>grad_x)
    elif dtype == Float64:
        _pdist_backward(<const double*>grad, <const double*>x, rows, cols, p, <const double*>dist,
                        <double*>grad_x)
    else:
        return False
    return True
