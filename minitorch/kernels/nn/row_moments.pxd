# Templates shared by layer_norm, batch_norm and group_norm: sums along contiguous rows in 32 lanes (Note [Folding
# in lanes] in fold.pxd). `add_...` adds a row to lanes that the caller keeps, so that several short rows are
# folded once; `row_...` computes the whole sum of one row as a double.

from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.reduction.fold cimport FOLD_SUM, fold_lanes

cdef enum:
    ROW_LANES = 32
    SHORT_ROW = 16       # shorter rows are summed element by element

cdef inline void clear_lanes(Real* lane) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(ROW_LANES):
        lane[j] = 0

cdef inline inlined add_sum(const Real* x, Py_ssize_t n, Real* lane) noexcept nogil:
    """Add x to the lanes."""
    cdef Py_ssize_t i = 0, j
    while i + ROW_LANES <= n:
        for j in range(ROW_LANES):
            lane[j] += x[i + j]
        i += ROW_LANES
    for j in range(n - i):
        lane[j] += x[i + j]

cdef inline inlined add_squares(const Real* x, Py_ssize_t n, Real shift,
                                Real* lane) noexcept nogil:
    """Add (x - shift)**2 to the lanes."""
    cdef Py_ssize_t i = 0, j
    cdef Real d
    while i + ROW_LANES <= n:
        for j in range(ROW_LANES):
            d = x[i + j] - shift
            lane[j] += d * d
        i += ROW_LANES
    for j in range(n - i):
        d = x[i + j] - shift
        lane[j] += d * d

cdef inline inlined add_products(const Real* g, const Real* x, Py_ssize_t n, Real shift,
                                 Real* lane, Real* product) noexcept nogil:
    """Add g to the lanes, and g * (x - shift) to the products."""
    cdef Py_ssize_t i = 0, j
    while i + ROW_LANES <= n:
        for j in range(ROW_LANES):
            lane[j] += g[i + j]
            product[j] += g[i + j] * (x[i + j] - shift)
        i += ROW_LANES
    for j in range(n - i):
        lane[j] += g[i + j]
        product[j] += g[i + j] * (x[i + j] - shift)

cdef inline inlined row_sum(const Real* x, Py_ssize_t n, double* result) noexcept nogil:
    """Compute sum(x)."""
    cdef Real[ROW_LANES] lane
    cdef Py_ssize_t i
    if n < SHORT_ROW:
        result[0] = 0
        for i in range(n):
            result[0] += x[i]
    else:
        clear_lanes(lane)
        add_sum(x, n, lane)
        fold_lanes(lane, FOLD_SUM)
        result[0] = lane[0]

cdef inline inlined row_squares(const Real* x, Py_ssize_t n, Real shift,
                                double* result) noexcept nogil:
    """Compute sum((x - shift)**2)."""
    cdef Real[ROW_LANES] lane
    cdef Real d
    cdef Py_ssize_t i
    if n < SHORT_ROW:
        result[0] = 0
        for i in range(n):
            d = x[i] - shift
            result[0] += d * d
    else:
        clear_lanes(lane)
        add_squares(x, n, shift, lane)
        fold_lanes(lane, FOLD_SUM)
        result[0] = lane[0]

cdef inline inlined row_products(const Real* g, const Real* x, Py_ssize_t n, Real shift,
                                 double* sum_g, double* sum_gx) noexcept nogil:
    """Compute sum(g) and sum(g * (x - shift))."""
    cdef Real[ROW_LANES] lane
    cdef Real[ROW_LANES] product
    cdef Py_ssize_t i
    if n < SHORT_ROW:
        sum_g[0] = 0
        sum_gx[0] = 0
        for i in range(n):
            sum_g[0] += g[i]
            sum_gx[0] += g[i] * (x[i] - shift)
    else:
        clear_lanes(lane)
        clear_lanes(product)
        add_products(g, x, n, shift, lane, product)
        fold_lanes(lane, FOLD_SUM)
        sum_g[0] = lane[0]
        fold_lanes(product, FOLD_SUM)
        sum_gx[0] = product[0]
