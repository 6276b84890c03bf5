"""Products with vectors by register tiles (tiles.pyx).

They read every element of the matrix once and are limited by memory bandwidth. If the rows of the matrix have no
gaps, eight rows at a time are multiplied with the vector and summed. If its columns have none, a line of the
result is summed over the columns.
"""

from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK
from minitorch.kernels.linalg.tile_types cimport (
    LINE_VECTORS, Dot32, Dot64, Dots32, Dots64, Tile32, Tile64,
)
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef enum:
    ROWS = 8                   # rows of the matrix summed together
    COLUMNS = 16               # columns of the matrix, each a stream that the processor prefetches
    STRETCH = 1536             # elements of the result that are summed in the first-level cache
    MAX_LINE = 96              # elements of the widest line


cdef void finish(Real alpha, const Real* sums, Py_ssize_t n, Real beta, Real* y,
                 Py_ssize_t step) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        y[i * step] = alpha * sums[i] if beta == 0 else alpha * sums[i] + beta * y[i * step]


# -- rows without gaps ----------------------------------------------------------------------------

cdef void dots_of_rows(int count, Py_ssize_t n, const Real* x, const Real* a, Py_ssize_t row,
                       Real* out) noexcept nogil:
    cdef int offsets[ROWS]
    cdef Py_ssize_t whole, j
    cdef int i
    for i in range(count):
        offsets[i] = <int>(i * row)
        out[i] = 0
    if Real is float:
        whole = n - n % tiles32.lanes
        (<Dots32>(tiles32.dots8 if count == ROWS else tiles32.dots1))(whole, x, a, offsets, out)
    else:
        whole = n - n % tiles64.lanes
        (<Dots64>(tiles64.dots8 if count == ROWS else tiles64.dots1))(whole, x, a, offsets, out)
    for i in range(count):
        for j in range(whole, n):
            out[i] += x[j] * a[i * row + j]


cdef void _rows(Real alpha, const Matrix* a, const Real* x, Real beta, const Vector* y,
                Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Real sums[ROWS]
    cdef const Real* line
    cdef Py_ssize_t i = low
    cdef int count
    while i < high:
        # offsets are ints; rows that are farther apart are processed one by one
        count = ROWS if high - i >= ROWS and a.row_stride < (1 << 27) else 1
        line = <const Real*>a.data + i * a.row_stride
        dots_of_rows(count, a.cols, x, line, a.row_stride, sums)
        finish(alpha, sums, count, beta, <Real*>y.data + i * y.stride, y.stride)
        i += count


# -- columns without gaps -------------------------------------------------------------------------

cdef inline void _line(int vectors, Py_ssize_t n, const Real* x, const Real* a,
                       const int* offsets, Real* sums, const Real* start) noexcept nogil:
    if Real is float:
        (<Tile32>tiles32.line[vectors])(n, x, a, offsets, sums, MAX_LINE, start)
    else:
        (<Tile64>tiles64.line[vectors])(n, x, a, offsets, sums, MAX_LINE, start)


cdef void _columns(Real alpha, const Matrix* a, const Real* x, Real beta, const Vector* y,
                   Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef int offsets[COLUMNS]
    cdef Real sums[STRETCH]
    cdef Real zero = 0
    cdef const Real* source
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes, vectors
    cdef Py_ssize_t i = low, k, j, q, n, size, block = COLUMNS
    if a.col_stride > (1 << 26):
        block = 1              # offsets are ints
    for k in range(block):
        offsets[k] = <int>(k * a.col_stride) if k > 0 else 0
    while i < high:
        size = high - i if high - i < STRETCH else STRETCH
        k = 0
        while k < a.cols:
            n = a.cols - k if a.cols - k < block else block
            source = <const Real*>a.data + i + k * a.col_stride
            j = 0
            while j + lanes <= size:
                vectors = <int>((size - j) // lanes)
                vectors = LINE_VECTORS if vectors >= LINE_VECTORS else 3 if vectors > 3 else vectors
                _line(vectors, n, x + k, source + j, offsets, sums + j, &zero if k == 0 else NULL)
                j += vectors * lanes
            for j in range(j, size):
                if k == 0:
                    sums[j] = 0
                for q in range(n):
                    sums[j] += x[k + q] * source[j + q * a.col_stride]
            k += n
        finish(alpha, sums, size, beta, <Real*>y.data + i * y.stride, y.stride)
        i += size


cdef void _gemv_part(Real alpha, const Matrix* a, const Real* x, Real beta, const Vector* y,
                     Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    if a.col_stride == 1 or a.cols == 1:
        _rows(alpha, a, x, beta, y, low, high)
    else:
        _columns(alpha, a, x, beta, y, low, high)


cdef int tile_gemv(Real alpha, const Matrix* a, const Vector* x, Real beta,
                   const Vector* y) noexcept nogil:
    cdef Real* dense = <Real*>x.data
    cdef Py_ssize_t i, m = a.rows
    # about eight elements per nanosecond, in whole lines
    cdef int part, parts = threads_for(a.rows * a.cols // 8)
    parts = parts if parts * MAX_LINE <= m else <int>(m // MAX_LINE)
    if x.stride != 1 and x.size > 1:
        dense = <Real*>malloc(x.size * sizeof(Real))
        if dense == NULL:
            return BLAS_NO_MEMORY
        for i in range(x.size):
            dense[i] = (<const Real*>x.data)[i * x.stride]
    if parts <= 1:
        _gemv_part(alpha, a, dense, beta, y, 0, m)
    else:
        for part in prange(parts, num_threads=parts, schedule="static"):
            _gemv_part(alpha, a, dense, beta, y, m * part // parts, m * (part + 1) // parts)
    if dense != <Real*>x.data:
        free(dense)
    return BLAS_OK


# -- dot ------------------------------------------------------------------------------------------

cdef Real _dot_part(Py_ssize_t n, const Real* x, const Real* y) noexcept nogil:
    cdef Real total = 0
    cdef Py_ssize_t j, whole
    if Real is float:
        whole = n - n % (8 * tiles32.lanes)
        (<Dot32>tiles32.dot)(whole, x, y, &total)
    else:
        whole = n - n % (8 * tiles64.lanes)
        (<Dot64>tiles64.dot)(whole, x, y, &total)
    for j in range(whole, n):
        total += x[j] * y[j]
    return total


cdef Real tile_dot(Py_ssize_t n, const Real* x, const Real* y) noexcept nogil:
    cdef int part, parts = threads_for(n // 12)
    cdef Py_ssize_t low, high
    cdef Real total = 0
    if parts == 1:
        return _dot_part(n, x, y)
    for part in prange(parts, num_threads=parts, schedule="static"):
        low = n * part // parts
        high = n * (part + 1) // parts
        total += _dot_part(high - low, x + low, y + low)
    return total
