# Included by tiles_avx512.pyx, tiles_avx2.pyx and tiles_any.pyx. They differ in the types `floats` and `doubles`
# (gcc vectors, which Cython sees as plain numbers) and `targeted` (void, compiled for an instruction set), and in
# ROWS, the rows whose sums fit the registers. See Note [Tiles] in tiles.pyx.

from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.tile_types cimport Tiles, minitorch_prefetch

ctypedef fused Vector:
    floats
    doubles

cdef double _zero[8]


cdef inlined _tile(Vector* tag, int rows, int vectors, Py_ssize_t ahead, Py_ssize_t n,
                   const Real* a, Py_ssize_t a_row, Py_ssize_t a_step, const Real* b, const int* offsets,
                   Real* c, Py_ssize_t ldc, const Real* start) noexcept nogil:
    cdef Vector sums[24]
    cdef Vector columns[6]
    cdef const Real* row
    cdef int i, v
    cdef Py_ssize_t k
    for i in range(rows):
        for v in range(vectors):
            # a number that is added to a vector is added to all its lanes
            sums[i * vectors + v] = tag[0] if start == NULL else tag[0] + start[i]
    for k in range(n):
        row = b + offsets[k]
        for v in range(vectors):
            columns[v] = (<const Vector*>row)[v]
            if ahead != 0:
                minitorch_prefetch(<const Vector*>(row + ahead) + v)
        for i in range(rows):
            for v in range(vectors):
                sums[i * vectors + v] = sums[i * vectors + v] + columns[v] * a[i * a_row]
        a += a_step
    for i in range(rows):
        for v in range(vectors):
            if start == NULL:
                # the bias comes last, so that the rounding is that of a product followed by an addition
                sums[i * vectors + v] = sums[i * vectors + v] + (<const Vector*>(c + i * ldc))[v]
            (<Vector*>(c + i * ldc))[v] = sums[i * vectors + v]


cdef targeted _float1(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                      float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 1, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 1, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _float2(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                      float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 2, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 2, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _float3(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                      float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 3, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 3, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _float_ahead(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* c, Py_ssize_t ldc, const float* start,
                           Py_ssize_t ahead) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 3, ahead, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 3, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _float_rows1(Py_ssize_t n, const float* a, Py_ssize_t lda, const float* b,
                           const int* offsets, float* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 1, 0, n, a, lda, 1, b, offsets, c, ldc, <float*>_zero)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 1, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <float*>_zero)


cdef targeted _float_rows2(Py_ssize_t n, const float* a, Py_ssize_t lda, const float* b,
                           const int* offsets, float* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 2, 0, n, a, lda, 1, b, offsets, c, ldc, <float*>_zero)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 2, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <float*>_zero)


cdef targeted _float_rows3(Py_ssize_t n, const float* a, Py_ssize_t lda, const float* b,
                           const int* offsets, float* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<floats*>_zero, ROWS, 3, 0, n, a, lda, 1, b, offsets, c, ldc, <float*>_zero)
    if ROWS == 4:
        _tile(<floats*>_zero, ROWS, 3, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <float*>_zero)


cdef targeted _float_line1(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, 1, 1, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _float_line2(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, 1, 2, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _float_line3(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, 1, 3, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _float_line6(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* c, Py_ssize_t ldc, const float* start) noexcept nogil:
    _tile(<floats*>_zero, 1, 6, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _double1(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                       double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 1, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 1, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _double2(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                       double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 2, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 2, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _double3(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                       double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 3, 0, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 3, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _double_ahead(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* c, Py_ssize_t ldc, const double* start,
                            Py_ssize_t ahead) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 3, ahead, n, a, 1, 8, b, offsets, c, ldc, start)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 3, 0, n, a + 4, 1, 8, b, offsets, c + 4 * ldc, ldc,
              start + 4 if start != NULL else NULL)


cdef targeted _double_rows1(Py_ssize_t n, const double* a, Py_ssize_t lda, const double* b,
                            const int* offsets, double* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 1, 0, n, a, lda, 1, b, offsets, c, ldc, <double*>_zero)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 1, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <double*>_zero)


cdef targeted _double_rows2(Py_ssize_t n, const double* a, Py_ssize_t lda, const double* b,
                            const int* offsets, double* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 2, 0, n, a, lda, 1, b, offsets, c, ldc, <double*>_zero)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 2, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <double*>_zero)


cdef targeted _double_rows3(Py_ssize_t n, const double* a, Py_ssize_t lda, const double* b,
                            const int* offsets, double* c, Py_ssize_t ldc) noexcept nogil:
    _tile(<doubles*>_zero, ROWS, 3, 0, n, a, lda, 1, b, offsets, c, ldc, <double*>_zero)
    if ROWS == 4:
        _tile(<doubles*>_zero, ROWS, 3, 0, n, a + 4 * lda, lda, 1, b, offsets, c + 4 * ldc, ldc,
              <double*>_zero)


cdef targeted _double_line1(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, 1, 1, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _double_line2(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, 1, 2, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _double_line3(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, 1, 3, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef targeted _double_line6(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* c, Py_ssize_t ldc, const double* start) noexcept nogil:
    _tile(<doubles*>_zero, 1, 6, 0, n, a, 0, 1, b, offsets, c, ldc, start)


cdef inline Real _sum_lanes(Real* lane, Py_ssize_t lanes) noexcept nogil:
    # the upper half is added to the lower half until one lane is left
    cdef Py_ssize_t v
    if lanes == 16:
        for v in range(8):
            lane[v] += lane[v + 8]
    if lanes >= 8:
        for v in range(4):
            lane[v] += lane[v + 4]
    if lanes >= 4:
        for v in range(2):
            lane[v] += lane[v + 2]
    return lane[0] + lane[1]


cdef inlined _dots(Vector* tag, int count, Py_ssize_t n, const Real* a, const Real* b,
                   const int* offsets, Real* out) noexcept nogil:
    cdef Vector sums[8]
    cdef Vector column
    cdef int i
    cdef Py_ssize_t j = 0, lanes = sizeof(Vector) // sizeof(Real)
    for i in range(count):
        sums[i] = tag[0]
    while j < n:
        column = (<const Vector*>(a + j))[0]
        for i in range(count):
            sums[i] = sums[i] + column * (<const Vector*>(b + offsets[i] + j))[0]
        j += lanes
    for i in range(count):
        out[i] += _sum_lanes(<Real*>&sums[i], lanes)


cdef targeted _float_dots8(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* out) noexcept nogil:
    _dots(<floats*>_zero, 8, n, a, b, offsets, out)


cdef targeted _float_dots1(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                           float* out) noexcept nogil:
    _dots(<floats*>_zero, 1, n, a, b, offsets, out)


cdef targeted _double_dots8(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* out) noexcept nogil:
    _dots(<doubles*>_zero, 8, n, a, b, offsets, out)


cdef targeted _double_dots1(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                            double* out) noexcept nogil:
    _dots(<doubles*>_zero, 1, n, a, b, offsets, out)


cdef inlined _dot(Vector* tag, Py_ssize_t n, const Real* a, const Real* b,
                  Real* out) noexcept nogil:
    cdef Vector sums[8]
    cdef int i
    cdef Py_ssize_t j = 0, lanes = sizeof(Vector) // sizeof(Real)
    for i in range(8):
        sums[i] = tag[0]
    while j < n:
        for i in range(8):
            sums[i] = sums[i] + ((<const Vector*>(a + j + i * lanes))[0]
                                 * (<const Vector*>(b + j + i * lanes))[0])
        j += 8 * lanes
    for i in range(4):
        sums[i] = sums[i] + sums[i + 4]
    sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3])
    out[0] += _sum_lanes(<Real*>sums, lanes)


cdef targeted _float_dot(Py_ssize_t n, const float* a, const float* b,
                         float* out) noexcept nogil:
    _dot(<floats*>_zero, n, a, b, out)


cdef targeted _double_dot(Py_ssize_t n, const double* a, const double* b,
                          double* out) noexcept nogil:
    _dot(<doubles*>_zero, n, a, b, out)


cdef void _fill(Tiles* tiles32, Tiles* tiles64) noexcept:
    tiles32.lanes = sizeof(floats) // sizeof(float)
    tiles32.tile[1] = <void*>_float1
    tiles32.tile[2] = <void*>_float2
    tiles32.tile[3] = <void*>_float3
    tiles32.ahead = <void*>_float_ahead
    tiles32.rows[1] = <void*>_float_rows1
    tiles32.rows[2] = <void*>_float_rows2
    tiles32.rows[3] = <void*>_float_rows3
    tiles32.line[1] = <void*>_float_line1
    tiles32.line[2] = <void*>_float_line2
    tiles32.line[3] = <void*>_float_line3
    tiles32.line[6] = <void*>_float_line6
    tiles32.dots8 = <void*>_float_dots8
    tiles32.dots1 = <void*>_float_dots1
    tiles32.dot = <void*>_float_dot
    tiles64.lanes = sizeof(doubles) // sizeof(double)
    tiles64.tile[1] = <void*>_double1
    tiles64.tile[2] = <void*>_double2
    tiles64.tile[3] = <void*>_double3
    tiles64.ahead = <void*>_double_ahead
    tiles64.rows[1] = <void*>_double_rows1
    tiles64.rows[2] = <void*>_double_rows2
    tiles64.rows[3] = <void*>_double_rows3
    tiles64.line[1] = <void*>_double_line1
    tiles64.line[2] = <void*>_double_line2
    tiles64.line[3] = <void*>_double_line3
    tiles64.line[6] = <void*>_double_line6
    tiles64.dots8 = <void*>_double_dots8
    tiles64.dots1 = <void*>_double_dots1
    tiles64.dot = <void*>_double_dot
