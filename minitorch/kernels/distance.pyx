"""Distances between rows, by the definition: sums over |a - b| ** p."""

from libc.math cimport INFINITY, fabs, pow, sqrt
from libc.string cimport memset

from minitorch.core.dtype cimport Float32, Float64

ctypedef fused Real:
    float
    double


cdef inline Real _distance(const Real* a, const Real* b, Py_ssize_t n, double p) noexcept nogil:
    cdef Py_ssize_t k
    cdef double total = 0, d
    if p == 2:
        for k in range(n):
            d = <double>a[k] - b[k]
            total += d * d
        return <Real>sqrt(total)
    if p == 1:
        for k in range(n):
            total += fabs(<double>a[k] - b[k])
        return <Real>total
    if p == 0:
        for k in range(n):
            d = fabs(<double>a[k] - b[k])
            total += d if d != d else <double>(d > 0)     # nan stays
        return <Real>total
    if p == INFINITY:
        for k in range(n):
            d = fabs(<double>a[k] - b[k])
            if d > total or d != d:          # nan stays
                total = d
        return <Real>total
    for k in range(n):
        total += pow(fabs(<double>a[k] - b[k]), p)
    return <Real>pow(total, 1 / p)


cdef inline double _sign(double x) noexcept nogil:
    return x if x != x else <double>((x > 0) - (x < 0))


cdef inline void _spread(const Real* a, const Real* b, Py_ssize_t n, double p, double grad,
                         double dist, Real* to_a, Real* to_b) noexcept nogil:
    """Add the derivative of a distance to that of a, and its negative to that of b (or NULL)."""
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
            # nan where the two are infinite or nan, as in PyTorch
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
    cdef Py_ssize_t i, j
    for i in range(rows1):
        for j in range(rows2):
            out[i * rows2 + j] = _distance(x1 + i * cols, x2 + j * cols, cols, p)


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
    cdef Py_ssize_t i, j
    for i in range(rows):
        for j in range(i + 1, rows):
            out[0] = _distance(x + i * cols, x + j * cols, cols, p)
            out += 1


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
