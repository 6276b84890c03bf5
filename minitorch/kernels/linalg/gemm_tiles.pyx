"""Matrix products by register tiles (tiles.pyx).

The loops have the order of Goto and van de Geijn. A part of `b`, K_BLOCK rows by N_BLOCK columns, is packed into
panels of the width of a tile, so that a tile reads it sequentially. Then rows of `a` are packed, eight
interleaved, a few panels at a time that stay in the second-level cache, and each tile of `c` is updated with the
sum over K_BLOCK terms.

Threads split the longer side of `c` and work on their own parts, so that no thread waits for another. Each packs
the other operand for itself, which is little work compared with the product. There is another reason for a
product of our own instead of BLAS: it uses the same threads as all other kernels. BLAS has a second set of
threads. Both sets spin while they wait for work, and so take processors from each other.

References
----------
K. Goto, R. van de Geijn: Anatomy of High-Performance Matrix Multiplication, ACM TOMS 34 (2008).
"""

from libc.stdlib cimport free

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.linalg.gemm_loops cimport scale
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK, Matrix
from minitorch.kernels.linalg.tile_types cimport (
    TILE_ROWS, TILE_SLACK, TILE_VECTORS, Ahead32, Ahead64, Tile32, Tile64,
)
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef extern from *:
    """
    #include <stddef.h>
    #ifdef __SSE__
    #include <xmmintrin.h>
    #endif
    static inline void minitorch_turn(const float* from, ptrdiff_t line, float* to, ptrdiff_t width) {
    #ifdef __SSE__
        __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + line);
        __m128 c = _mm_loadu_ps(from + 2 * line), d = _mm_loadu_ps(from + 3 * line);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(to, a);
        _mm_storeu_ps(to + width, b);
        _mm_storeu_ps(to + 2 * width, c);
        _mm_storeu_ps(to + 3 * width, d);
    #else
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 4; i++) to[k * width + i] = from[i * line + k];
    #endif
    }
    """
    # to[k * width + i] = from[i * line + k] for four lines of four numbers
    void minitorch_turn(const float* source, Py_ssize_t line, float* to, Py_ssize_t width) noexcept nogil

cdef enum:
    N_BLOCK = 1536             # a multiple of every tile's width
    M_BLOCK = 128
    SMALL_B = 1 << 18          # bytes


cdef bint tiles_are_fast() noexcept nogil:
    return tiles32.lanes >= 8


# -- packing --------------------------------------------------------------------------------------

cdef inline void _interleave(Py_ssize_t n, const Real* a, Py_ssize_t row, Py_ssize_t col,
                             Real alpha, Real* out) noexcept nogil:
    """Store out[k * TILE_ROWS + i] = alpha * a[i, k] for TILE_ROWS rows."""
    cdef Py_ssize_t k
    cdef int i
    for k in range(n):
        for i in range(TILE_ROWS):
            out[i] = alpha * a[i * row + k * col]
        out += TILE_ROWS


cdef simd _interleave_float(Py_ssize_t n, const float* a, Py_ssize_t row, Py_ssize_t col,
                            float alpha, float* out) noexcept nogil:
    if row == 1:
        _interleave(n, a, 1, col, alpha, out)
    elif col == 1:
        _interleave(n, a, row, 1, alpha, out)
    else:
        _interleave(n, a, row, col, alpha, out)


cdef simd _interleave_double(Py_ssize_t n, const double* a, Py_ssize_t row, Py_ssize_t col,
                             double alpha, double* out) noexcept nogil:
    if row == 1:
        _interleave(n, a, 1, col, alpha, out)
    elif col == 1:
        _interleave(n, a, row, 1, alpha, out)
    else:
        _interleave(n, a, row, col, alpha, out)


cdef void pack_a(Real alpha, const Matrix* a, Py_ssize_t i0, Py_ssize_t m, Py_ssize_t k0,
                 Py_ssize_t n, Real* out) noexcept nogil:
    cdef Py_ssize_t k, i = 0, rows
    cdef int r
    cdef const Real* source = <const Real*>a.data + i0 * a.row_stride + k0 * a.col_stride
    while i < m:
        rows = m - i
        if rows >= TILE_ROWS:
            if Real is float:
                _interleave_float(n, source, a.row_stride, a.col_stride, alpha, out)
            else:
                _interleave_double(n, source, a.row_stride, a.col_stride, alpha, out)
        else:
            for k in range(n):
                for r in range(TILE_ROWS):
                    out[k * TILE_ROWS + r] = (
                        alpha * source[r * a.row_stride + k * a.col_stride] if r < rows else 0)
        source += TILE_ROWS * a.row_stride
        out += TILE_ROWS * n
        i += TILE_ROWS


cdef void turn(Py_ssize_t n, const Real* source, Py_ssize_t line, Real* out,
               Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t k = 0
    cdef int i
    if Real is float:
        while k + 4 <= n:
            minitorch_turn(source + k, line, out + k * width, width)
            minitorch_turn(source + k + 4 * line, line, out + k * width + 4, width)
            k += 4
    while k < n:
        for i in range(TILE_ROWS):
            out[k * width + i] = source[i * line + k]
        k += 1


cdef void pack_b(const Matrix* b, Py_ssize_t k0, Py_ssize_t n, Py_ssize_t j0, Py_ssize_t columns,
                 Py_ssize_t width, Real* out) noexcept nogil:
    cdef Py_ssize_t k, j = 0, i, count
    cdef Py_ssize_t row = b.row_stride, col = b.col_stride
    cdef const Real* source
    cdef Real* target
    while j < columns:
        count = columns - j if columns - j < width else width
        source = <const Real*>b.data + k0 * row + (j0 + j) * col
        if col == 1:
            for k in range(n):
                target = out + k * width
                for i in range(count):
                    target[i] = source[k * row + i]
        else:
            # the columns are contiguous: read eight lines of the source at a time
            i = 0
            while i < count:
                if i + TILE_ROWS <= count and row == 1:
                    turn(n, source + i * col, col, out + i, width)
                    i += TILE_ROWS
                else:
                    for k in range(n):
                        out[k * width + i] = source[k * row + i * col]
                    i += 1
        if count < width:
            for k in range(n):
                for i in range(count, width):
                    out[k * width + i] = 0
        out += n * width
        j += width


# -- the product ----------------------------------------------------------------------------------

cdef inline void _call(int vectors, Py_ssize_t n, const Real* a, const Real* b, const int* offsets,
                       Real* c, Py_ssize_t ldc, const Real* start) noexcept nogil:
    if Real is float:
        (<Tile32>tiles32.tile[vectors])(n, a, b, offsets, c, ldc, start)
    else:
        (<Tile64>tiles64.tile[vectors])(n, a, b, offsets, c, ldc, start)


cdef inline void _tile(int lanes, Py_ssize_t k, const Real* a, Py_ssize_t rows, const Real* b,
                       Py_ssize_t count, const int* offsets, Real* c, Py_ssize_t ldc,
                       const Real* start, Py_ssize_t ahead) noexcept nogil:
    cdef Real buffer[TILE_ROWS * MAX_WIDTH]
    cdef Py_ssize_t r, q
    cdef int vectors = <int>((count + lanes - 1) // lanes)
    if rows == TILE_ROWS and count == vectors * lanes:
        if ahead == 0:
            _call(vectors, k, a, b, offsets, c, ldc, start)
        elif Real is float:
            (<Ahead32>tiles32.ahead)(k, a, b, offsets, c, ldc, start, ahead)
        else:
            (<Ahead64>tiles64.ahead)(k, a, b, offsets, c, ldc, start, ahead)
        return
    if start == NULL:
        for r in range(rows):
            for q in range(count):
                buffer[r * MAX_WIDTH + q] = c[r * ldc + q]
    _call(vectors, k, a, b, offsets, buffer, MAX_WIDTH, start)
    for r in range(rows):
        for q in range(count):
            c[r * ldc + q] = buffer[r * MAX_WIDTH + q]


cdef void tile_block(int lanes, Py_ssize_t k, const Real* a, Py_ssize_t m, const Real* b,
                     Py_ssize_t panel, Py_ssize_t columns, const int* offsets, Real* c,
                     Py_ssize_t ldc, const Real* start) noexcept nogil:
    cdef Py_ssize_t i, j, p, q, width = TILE_VECTORS * lanes
    cdef Py_ssize_t panels = (columns + width - 1) // width, bands = (m + TILE_ROWS - 1) // TILE_ROWS
    # if all of b stays in the second-level cache, rows of c are written from end to end
    cdef bint by_rows = k * columns * <Py_ssize_t>sizeof(Real) <= SMALL_B
    for p in range(bands if by_rows else panels):
        for q in range(panels if by_rows else bands):
            i = (p if by_rows else q) * TILE_ROWS
            j = q if by_rows else p
            _tile(lanes, k, a + i * k, _least(TILE_ROWS, m - i), b + j * panel,
                  _least(width, columns - j * width), offsets, c + i * ldc + j * width, ldc, start,
                  panel if not by_rows and columns >= (j + 2) * width else 0)


cdef int _part(Real alpha, const Matrix* a, const Matrix* b, Real beta, const Matrix* c,
               Py_ssize_t i0, Py_ssize_t i1, Py_ssize_t j0, Py_ssize_t j1) noexcept nogil:
    """Compute rows [i0, i1) and columns [j0, j1) of c on one thread."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t width = TILE_VECTORS * lanes, inner = a.cols
    cdef Py_ssize_t k_size = inner if inner < K_BLOCK else K_BLOCK
    cdef Py_ssize_t n_size = j1 - j0 if j1 - j0 < N_BLOCK else N_BLOCK
    cdef Py_ssize_t m_size = i1 - i0 if i1 - i0 < M_BLOCK else M_BLOCK
    cdef Py_ssize_t i, j, k, m, n, kn
    cdef Real* packed_a
    cdef Real* packed_b
    cdef Real* target
    cdef int* offsets
    cdef Real zero[TILE_ROWS]
    cdef Matrix mine
    n_size = (n_size + width - 1) // width * width
    m_size = (m_size + TILE_ROWS - 1) // TILE_ROWS * TILE_ROWS
    packed_b = <Real*>panel_memory((k_size * (n_size + m_size) + TILE_SLACK) * sizeof(Real)
                                   + k_size * sizeof(int))
    if packed_b == NULL:
        return BLAS_NO_MEMORY
    packed_a = packed_b + k_size * n_size
    offsets = <int*>(packed_a + k_size * m_size + TILE_SLACK)
    for k in range(k_size):
        offsets[k] = <int>(k * width)
    for k in range(TILE_ROWS):
        zero[k] = 0
    if beta != 0 and beta != 1:
        mine = c[0]
        mine.data = <char*>(<Real*>c.data + i0 * c.row_stride + j0)
        mine.rows = i1 - i0
        mine.cols = j1 - j0
        scale(<Real*>NULL, beta, &mine)
    j = j0
    while j < j1:
        n = j1 - j if j1 - j < N_BLOCK else N_BLOCK
        k = 0
        while k < inner:
            kn = inner - k if inner - k < K_BLOCK else K_BLOCK
            pack_b(b, k, kn, j, n, width, packed_b)
            i = i0
            while i < i1:
                m = i1 - i if i1 - i < M_BLOCK else M_BLOCK
                pack_a(alpha, a, i, m, k, kn, packed_a)
                target = <Real*>c.data + i * c.row_stride + j
                tile_block(lanes, kn, packed_a, m, packed_b, kn * width, n, offsets, target, c.row_stride,
                           zero if k == 0 and beta == 0 else NULL)
                i += M_BLOCK
            k += K_BLOCK
        j += N_BLOCK
    free(packed_b)
    return BLAS_OK


cdef int tile_gemm(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                   const Matrix* c) noexcept nogil:
    cdef double work = <double>c.rows * c.cols * a.cols / 40
    cdef int part, parts = threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15))
    cdef int status = BLAS_OK
    cdef Py_ssize_t m = c.rows, n = c.cols, units
    cdef Py_ssize_t unit = TILE_ROWS if m >= n else MAX_WIDTH
    # threads take whole tiles along the longer side
    units = ((m if m >= n else n) + unit - 1) // unit
    parts = parts if parts < units else <int>units
    if parts <= 1:
        return _part(alpha, a, b, beta, c, 0, m, 0, n)
    for part in prange(parts, num_threads=parts, schedule="static"):
        if m >= n:
            status |= _part(alpha, a, b, beta, c, _least(m, units * part // parts * unit),
                            _least(m, units * (part + 1) // parts * unit), 0, n)
        else:
            status |= _part(alpha, a, b, beta, c, 0, m, _least(n, units * part // parts * unit),
                            _least(n, units * (part + 1) // parts * unit))
    return status


cdef inline Py_ssize_t _least(Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    return a if a < b else b
