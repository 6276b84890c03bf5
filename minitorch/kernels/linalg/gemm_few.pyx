"""Matrix products with few rows.

If `c` has few rows, each element of `b` is used in few multiplications, and packing `b` would cost as much as
they do. Rows of `b` without gaps are read in place by the tiles. For columns of `b` without gaps (`x @ weight.T`) the
transposed product is computed: the tiles read eight columns of `b` in place, as rows, and `a` is packed. With
at most eight rows, the columns of `b` are multiplied with the rows of `a` element by element and summed.
"""

from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.linalg.gemm_tiles cimport (
    K_BLOCK, MAX_WIDTH, pack_a, pack_b, panel_memory, tile_block, turn,
)
from minitorch.kernels.linalg.gemv_tiles cimport dots_of_rows, finish
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK, transposed
from minitorch.kernels.linalg.tile_types cimport (
    TILE_ROWS, TILE_SLACK, TILE_VECTORS, Rows32, Rows64, minitorch_prefetch,
)
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef enum:
    IN_PLACE_ROWS = 256        # rows of c; with more rows, packing b is faster
    CLASHING_ROWS = 16         # the same if all rows of b map to one cache set
    DOT_ROWS = 8
    MIN_TERMS = 128            # terms of a sum, for which the work at its end is small
    TURNED_VECTORS = 12        # vectors of rows of c; with more, packing b is faster


cdef bint few_rows(Real* tag, const Matrix* b, const Matrix* c) noexcept nogil:
    # offsets are ints, which limits the strides
    cdef Py_ssize_t most
    if b.col_stride == 1:
        most = IN_PLACE_ROWS
        if b.row_stride * sizeof(Real) % 4096 == 0:
            most = CLASHING_ROWS
        return c.rows <= most and b.row_stride < (1 << 22)
    most = TURNED_VECTORS * (tiles32.lanes if Real is float else tiles64.lanes)
    return (b.row_stride == 1 and c.rows <= most and b.rows >= MIN_TERMS
            and b.col_stride < (1 << 27))


cdef int _in_place(Real alpha, const Matrix* a, const Matrix* b, Real beta, const Matrix* c,
                   Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    """Compute the columns [j0, j1) of c, for a b whose rows have no gaps."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t k = 0, n, i, q, m = (c.rows + TILE_ROWS - 1) // TILE_ROWS * TILE_ROWS
    cdef Py_ssize_t width = TILE_VECTORS * lanes
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
        tile_block(lanes, n, packed, c.rows, source + j0, width, whole - j0, offsets,
                   <Real*>c.data + j0, c.row_stride, start)
        if whole < j1:
            # less than a vector: the elements past the end must not be read
            for i in range(n):
                for q in range(j1 - whole):
                    last[i * lanes + q] = source[i * b.row_stride + whole + q]
                for q in range(j1 - whole, lanes):
                    last[i * lanes + q] = 0
            tile_block(lanes, n, packed, c.rows, last, 0, j1 - whole, edge,
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


cdef inline void _rows(int vectors, Py_ssize_t n, const Real* a, Py_ssize_t lda, const Real* b,
                       const int* offsets, Real* c) noexcept nogil:
    if Real is float:
        (<Rows32>tiles32.rows[vectors])(n, a, lda, b, offsets, c, MAX_WIDTH)
    else:
        (<Rows64>tiles64.rows[vectors])(n, a, lda, b, offsets, c, MAX_WIDTH)


cdef void _store_turned(Real alpha, const Real* tile, Py_ssize_t rows, Py_ssize_t columns, Real* c,
                        Py_ssize_t ldc, bint add) noexcept nogil:
    """Store alpha * tile.T in c, or add it to c."""
    cdef Real turned[MAX_WIDTH * TILE_ROWS]
    cdef Py_ssize_t i, j
    turn((rows + 3) // 4 * 4, tile, MAX_WIDTH, turned, TILE_ROWS)
    for i in range(rows):
        if not add:
            for j in range(columns):
                c[i * ldc + j] = alpha * turned[i * TILE_ROWS + j]
        elif columns == TILE_ROWS:
            for j in range(TILE_ROWS):
                c[i * ldc + j] += alpha * turned[i * TILE_ROWS + j]
        else:
            for j in range(columns):
                c[i * ldc + j] += alpha * turned[i * TILE_ROWS + j]


cdef int _transposed(Real alpha, const Matrix* a, const Matrix* b, Real beta, const Matrix* c,
                     Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    """Compute the columns [j0, j1) of c, for a b whose columns have no gaps, by tiles of c.T."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t vectors = (c.rows + lanes - 1) // lanes
    # panels of a.T of about the same width
    cdef Py_ssize_t panels = (vectors + TILE_VECTORS - 1) // TILE_VECTORS
    cdef Py_ssize_t width = (vectors + panels - 1) // panels * lanes
    cdef Py_ssize_t k = 0, n, i, j, q, rows, columns, line
    cdef int offsets[K_BLOCK]
    cdef Real tile[TILE_ROWS * MAX_WIDTH]
    cdef Real* packed = <Real*>panel_memory((panels * width + TILE_ROWS) * K_BLOCK * sizeof(Real))
    cdef Real* last = packed + panels * width * K_BLOCK
    cdef const Real* source
    cdef Matrix turned = transposed(a)
    if packed == NULL:
        return BLAS_NO_MEMORY
    for i in range(K_BLOCK):
        offsets[i] = <int>(i * width)
    while k < a.cols:
        n = a.cols - k if a.cols - k < K_BLOCK else K_BLOCK
        pack_b(&turned, k, n, 0, c.rows, width, packed)
        j = j0
        while j < j1:
            columns = j1 - j if j1 - j < TILE_ROWS else TILE_ROWS
            source = <const Real*>b.data + j * b.col_stride + k
            line = b.col_stride
            if columns < TILE_ROWS:
                # the last columns, with columns of zeros
                for q in range(TILE_ROWS):
                    for i in range(n):
                        last[q * n + i] = source[q * line + i] if q < columns else 0
                source = last
                line = n
            elif j + 2 * TILE_ROWS <= j1:
                # the next tile's columns, which the processor does not expect
                for q in range(TILE_ROWS):
                    i = 0
                    while i < n:
                        minitorch_prefetch(source + (TILE_ROWS + q) * line + i)
                        i += 64 // sizeof(Real)
            i = 0
            while i < c.rows:
                rows = c.rows - i if c.rows - i < width else width
                _rows(<int>((rows + lanes - 1) // lanes), n, source, line, packed + i * n, offsets, tile)
                _store_turned(alpha, tile, rows, columns, <Real*>c.data + i * c.row_stride + j,
                              c.row_stride, k > 0 or beta != 0)
                i += width
            j += TILE_ROWS
        k += K_BLOCK
    free(packed)
    return BLAS_OK


cdef int _part(Real alpha, const Matrix* a, const Real* dense_a, const Matrix* b, Real beta,
               const Matrix* c, Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    if b.col_stride == 1:
        return _in_place(alpha, a, b, beta, c, j0, j1)
    if c.rows > DOT_ROWS:
        return _transposed(alpha, a, b, beta, c, j0, j1)
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
    cdef bint dots = b.col_stride != 1 and c.rows <= DOT_ROWS
    if dots and a.col_stride != 1:
        dense = <Real*>malloc(a.rows * a.cols * sizeof(Real))
        if dense == NULL:
            return BLAS_NO_MEMORY
        for i in range(a.rows):
            for k in range(a.cols):
                dense[i * a.cols + k] = (
                    <const Real*>a.data)[i * a.row_stride + k * a.col_stride]
    if not dots and beta != 0 and beta != 1:
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
