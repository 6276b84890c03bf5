# Templates shared by layer_norm, batch_norm and group_norm: sums along contiguous rows in 32 lanes
# (Note [Folding in lanes] in fold.pxd), results in float64.

from minitorch.kernels.always_inline cimport inlined
from minitorch.kernels.fold cimport FOLD_SUM, fold_lanes

ctypedef fused real_t:
    float
    double

cdef enum:
    ROW_LANES = 32
    TAIL_LANES = 8       # what is left of a row is taken in smaller steps first

cdef inline inlined row_sum(const real_t* x, Py_ssize_t n, double* result) noexcept nogil:
    """sum(x)"""
    cdef real_t[ROW_LANES] lane
    cdef double total = 0
    cdef Py_ssize_t i = 0, j
    if n >= TAIL_LANES:
        for j in range(ROW_LANES):
            lane[j] = 0
        while i + ROW_LANES <= n:
            for j in range(ROW_LANES):
                lane[j] += x[i + j]
            i += ROW_LANES
        while i + TAIL_LANES <= n:
            for j in range(TAIL_LANES):
                lane[j] += x[i + j]
            i += TAIL_LANES
        total = fold_lanes(lane, FOLD_SUM)
    while i < n:
        total += x[i]
        i += 1
    result[0] = total

cdef inline inlined row_squares(const real_t* x, Py_ssize_t n, real_t shift,
                                double* result) noexcept nogil:
    """sum((x - shift)**2)"""
    cdef real_t[ROW_LANES] lane
    cdef real_t d
    cdef double total = 0
    cdef Py_ssize_t i = 0, j
    if n >= TAIL_LANES:
        for j in range(ROW_LANES):
            lane[j] = 0
        while i + ROW_LANES <= n:
            for j in range(ROW_LANES):
                d = x[i + j] - shift
                lane[j] += d * d
            i += ROW_LANES
        while i + TAIL_LANES <= n:
            for j in range(TAIL_LANES):
                d = x[i + j] - shift
                lane[j] += d * d
            i += TAIL_LANES
        total = fold_lanes(lane, FOLD_SUM)
    while i < n:
        d = x[i] - shift
        total += d * d
        i += 1
    result[0] = total

cdef inline inlined row_products(const real_t* g, const real_t* x, Py_ssize_t n, real_t shift,
                                 double* sum_g, double* sum_gx) noexcept nogil:
    """sum(g) and sum(g * (x - shift))"""
    cdef real_t[ROW_LANES] lane
    cdef real_t[ROW_LANES] product
    cdef double a = 0, b = 0
    cdef Py_ssize_t i = 0, j
    if n >= TAIL_LANES:
        for j in range(ROW_LANES):
            lane[j] = 0
            product[j] = 0
        while i + ROW_LANES <= n:
            for j in range(ROW_LANES):
                lane[j] += g[i + j]
                product[j] += g[i + j] * (x[i + j] - shift)
            i += ROW_LANES
        while i + TAIL_LANES <= n:
            for j in range(TAIL_LANES):
                lane[j] += g[i + j]
                product[j] += g[i + j] * (x[i + j] - shift)
            i += TAIL_LANES
        a = fold_lanes(lane, FOLD_SUM)
        b = fold_lanes(product, FOLD_SUM)
    while i < n:
        a += g[i]
        b += g[i] * (x[i] - shift)
        i += 1
    sum_g[0] = a
    sum_gx[0] = b
