"""Matrix products with few rows.

If `c` has few rows, each element of `b` is used in few multiplications, and packing `b` would cost as much as
they do. Rows of `b` without gaps are read in place by the tiles. Columns of `b` without gaps (`x @ weight.T`) are
multiplied with the rows of `a` element by element and summed.
"""

from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.linalg.gemm_tiles cimport K_BLOCK, pack_a, tile_block
from minitorch.kernels.linalg.gemv_tiles cimport dots_of_rows, finish
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK
from minitorch.kernels.linalg.tile_types cimport TILE_ROWS, TILE_SLACK, TILE_VECTORS
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef enum:
    IN_PLACE_ROWS = 256        # rows of c; with more rows, packing b is faster
    CLASHING_ROWS = 16         # the same if all rows of b map to one cache set
    DOT_ROWS = 8
    DOT_TERMS = 128            # terms of a sum, for which adding up the lanes at the end is cheap


cdef bint few_rows(Real* tag, const Matrix* b, const Matrix* c) noexcept nogil:
    # offsets are ints, which limits the strides
    cdef Py_ssize_t most
    if b.col_stride == 1:
        most = IN_PLACE_ROWS
        if b.row_stride * sizeof(Real) % 4096 == 0:
            most = CLASHING_ROWS
        return c.rows <= most and b.row_stride < (1 << 22)
    return (b.row_stride == 1 and c.rows <= DOT_ROWS and b.rows >= DOT_TERMS
            and b.col_stride < (1 << 27))


cdef int _in_place(Real alpha, const Matrix* a, const Matrix* b, Real beta, const Matrix* c,
                   Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    """Compute the columns [j0, j1) of c, for a b whose rows have no gaps."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t k = 0, n, i, q, m = (c.rows + TILE_ROWS - 1) // TILE_ROWS * TILE_ROWS
    cdef Py_ssize_t j, columns, width = TILE_VECTORS * lanes
    cdef Py_ssize_t whole = j0 + (j1 - j0) // lanes * lanes
    cdef Real zero[TILE_ROWS]
    cdef const Real* start
    cdef const Real* source
    cdef int offsets[K_BLOCK]
    cdef int edge[K_BLOCK]
    cdef Real* packed = <Real*>malloc(((m + lanes) * K_BLOCK + TILE_SLACK) * sizeof(Real))
    cdef Real* last = packed + m * K_BLOCK
    if packed == NULL:
        return BLAS_NO_MEMORY
    for i in range(TILE_ROWS):
        zero[i] = 0
    for i in range(K_BLOCK):
        offsets[i] = <int>(i * b.row_stride)
        edge[i] = <int>(i * lanes)
    while k < a.cols:
        n = a.cols - k if a.cols - k < K_BLOCK else K_BLOCK
        start = zero if k == 0 and beta == 0 else NULL
        source = <const Real*>b.data + k * b.row_stride
        pack_a(alpha, a, 0, c.rows, k, n, packed)
        j = j0
        while j < whole:
            columns = whole - j if whole - j < width else width
            tile_block(lanes, n, packed, c.rows, source + j, columns, offsets,
                       <Real*>c.data + j, c.row_stride, start)
            j += width
        if whole < j1:
            # less than a vector: the elements past the end must not be read
            for i in range(n):
                for q in range(j1 - whole):
                    last[i * lanes + q] = source[i * b.row_stride + whole + q]
                for q in range(j1 - whole, lanes):
                    last[i * lanes + q] = 0
            tile_block(lanes, n, packed, c.rows, last, j1 - whole, edge,
                       <Real*>c.data + whole, c.row_stride, start)
        k += K_BLOCK
    free(packed)
    return BLAS_OK


cdef void _by_dots(Real alpha, const Real* a, Py_ssize_t a_row, const Matrix* b, Real beta,
                   const Matrix* c, Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    """Compute the columns [j0, j1) of c, for rows of a and columns of b without gaps."""
    cdef Real sums[TILE_ROWS]
    cdef Py_ssize_t i, j = j0
    cdef int count
    while j < j1:
        # these columns stay in the first-level cache for all rows
        count = TILE_ROWS if j1 - j >= TILE_ROWS else 1
        for i in range(c.rows):
            dots_of_rows(count, b.rows, a + i * a_row, <const Real*>b.data + j * b.col_stride,
                         b.col_stride, sums)
            finish(alpha, sums, count, beta, <Real*>c.data + i * c.row_stride + j, 1)
        j += count


cdef int _part(Real alpha, const Matrix* a, const Real* dense_a, const Matrix* b, Real beta,
               const Matrix* c, Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    if b.col_stride == 1:
        return _in_place(alpha, a, b, beta, c, j0, j1)
    _by_dots(alpha, dense_a, a.row_stride if dense_a == <Real*>a.data else a.cols, b, beta, c,
             j0, j1)
    return BLAS_OK


cdef void _scale(Real beta, const Matrix* c) noexcept nogil:
    cdef Py_ssize_t i, j
    for i in range(c.rows):
        for j in range(c.cols):
            (<Real*>c.data)[i * c.row_stride + j] *= beta


cdef int few_gemm(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                  const Matrix* c) noexcept nogil:
    cdef Real* dense = <Real*>a.data
    cdef Py_ssize_t i, k, n = c.cols, unit = 6 * TILE_ROWS, units = (n + unit - 1) // unit
    cdef double work = <double>c.rows * a.cols * n / 30
    cdef int status = BLAS_OK, part, parts
    parts = threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15))
    parts = parts if parts < units else <int>units
    if b.col_stride != 1 and a.col_stride != 1:
        dense = <Real*>malloc(a.rows * a.cols * sizeof(Real))
        if dense == NULL:
            return BLAS_NO_MEMORY
        for i in range(a.rows):
            for k in range(a.cols):
                dense[i * a.cols + k] = (
                    <const Real*>a.data)[i * a.row_stride + k * a.col_stride]
    if b.col_stride == 1 and beta != 0 and beta != 1:
        _scale(beta, c)
    if parts <= 1:
        status = _part(alpha, a, dense, b, beta, c, 0, n)
    else:
        for part in prange(parts, num_threads=parts, schedule="static"):
            status |= _part(alpha, a, dense, b, beta, c, units * part // parts * unit,
                            _least(n, units * (part + 1) // parts * unit))
    if dense != <Real*>a.data:
        free(dense)
    return status


cdef inline Py_ssize_t _least(Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    return a if a < b else b
