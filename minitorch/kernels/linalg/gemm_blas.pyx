"""Calls of BLAS: the choice of the routine and its flags.

Note [Layouts that BLAS takes]
BLAS takes column-major matrices: the elements of a column are adjacent, columns are `ld` elements apart, and `ld`
is at least the number of rows. A row-major matrix is the transpose of such a matrix and is passed with the flag
'T'. The stride of a dimension of size one has no meaning, so vectors of any stride fit. Other layouts, such as
every second column, an expanded matrix or a conjugated one that is not also transposed (BLAS has no such flag),
are first packed into scratch memory. A row-major result is computed as the transposed product, c.T = b.T @ a.T.

Below `SMALL` multiplications the loops of gemm_loops.pyx are faster. float32 and float64 use BLAS only on
processors for which the tiles have no vectors, or if the result has gaps in both directions.
"""

from libc.limits cimport INT_MAX
from libc.stdlib cimport free, malloc

from scipy.linalg.cython_blas cimport (
    cdotc, cdotu, cgemm, cgemv, ddot, dgemm, dgemv, sdot, sgemm, sgemv, zdotc, zdotu, zgemm, zgemv,
)

from minitorch.kernels.common.copy cimport copy_strided
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.gemm_few cimport few_gemm, few_rows
from minitorch.kernels.linalg.gemm_loops cimport scale, small_dot, small_gemm
from minitorch.kernels.linalg.gemm_tiles cimport tile_gemm, tiles_are_fast
from minitorch.kernels.linalg.gemv_tiles cimport tile_dot, tile_gemv
from minitorch.kernels.linalg.matrix cimport (
    BLAS_NO_MEMORY, BLAS_OK, BLAS_TOO_LARGE, matrix, transposed, vector,
)

cdef enum:
    SMALL = 256            # products of up to this many multiplications use the loops; complex ones count twice
    SMALL_DOT = 64
    CHUNK = 1 << 30        # elements passed to one call of BLAS's dot


cdef struct Operand:
    char trans
    int ld
    void* data
    void* scratch          # to be freed; NULL if the matrix was passed as it is


cdef inline Field _scalar(Field* tag, const void* p, Field default) noexcept nogil:
    if p == NULL:
        return default
    if Field is float or Field is double:
        return <Field>(<const double*>p)[0]
    else:
        return <Field>(<const double complex*>p)[0]


cdef inline int _weight(Field* tag) noexcept nogil:
    return 1 if Field is float or Field is double else 2


cdef void* _scratch(Py_ssize_t rows, Py_ssize_t cols, Py_ssize_t itemsize) noexcept nogil:
    if <double>rows * <double>cols * <double>itemsize > 9e18:
        return NULL
    return malloc(rows * cols * itemsize if rows > 0 and cols > 0 else 1)


cdef void _copy(Py_ssize_t itemsize, const Matrix* dst, const Matrix* src) noexcept nogil:
    cdef Py_ssize_t sizes[2]
    cdef Py_ssize_t to[2]
    cdef Py_ssize_t by[2]
    sizes[0] = dst.rows
    sizes[1] = dst.cols
    to[0] = dst.row_stride * itemsize
    to[1] = dst.col_stride * itemsize
    by[0] = src.row_stride * itemsize
    by[1] = src.col_stride * itemsize
    copy_strided(2, sizes, dst.data, to, src.data, by, itemsize)


# -- one operand ----------------------------------------------------------------------------------

cdef inline bint _fits(Py_ssize_t inner, Py_ssize_t inner_stride, Py_ssize_t outer_,
                       Py_ssize_t outer_stride) noexcept nogil:
    """Return whether BLAS takes lines of `inner` elements that are `outer_stride` apart."""
    return ((inner_stride == 1 or inner == 1)
            and (outer_ == 1 or inner <= outer_stride <= INT_MAX))


cdef int _operand(Field* tag, const Matrix* m, Operand* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef Matrix packed
    cdef Field* p
    cdef bint conj = False
    if Field is floatcomplex or Field is doublecomplex:
        conj = m.conj
    out.scratch = NULL
    out.data = m.data
    if not conj and _fits(m.rows, m.row_stride, m.cols, m.col_stride):
        out.trans = c'N'
        out.ld = <int>(m.col_stride if m.cols > 1 else m.rows)
        return BLAS_OK
    if _fits(m.cols, m.col_stride, m.rows, m.row_stride):
        out.trans = c'C' if conj else c'T'
        out.ld = <int>(m.row_stride if m.rows > 1 else m.cols)
        return BLAS_OK
    p = <Field*>_scratch(m.rows, m.cols, sizeof(Field))
    if p == NULL:
        return BLAS_NO_MEMORY
    packed = m[0]
    packed.data = <char*>p
    if m.row_stride > m.col_stride:
        packed.row_stride = m.cols
        packed.col_stride = 1
        out.trans = c'T'
        out.ld = <int>m.cols
    else:
        packed.row_stride = 1
        packed.col_stride = m.rows
        out.trans = c'N'
        out.ld = <int>m.rows
    _copy(sizeof(Field), &packed, m)
    if Field is floatcomplex or Field is doublecomplex:
        if conj:
            for i in range(m.rows * m.cols):
                p[i] = p[i].conjugate()
    out.data = out.scratch = p
    return BLAS_OK


cdef int _dense(Field* tag, const Vector* x, Field** data, int* step, void** scratch) noexcept nogil:
    """Return the vector in a form BLAS takes: a stride from 1 to 2**31 - 1, not conjugated."""
    cdef Py_ssize_t i
    cdef Field* p
    cdef const Field* source = <const Field*>x.data
    cdef bint conj = False
    if Field is floatcomplex or Field is doublecomplex:
        conj = x.conj
    scratch[0] = NULL
    data[0] = <Field*>x.data
    step[0] = <int>x.stride
    if x.size == 1:
        step[0] = 1
    if not conj and (x.size == 1 or 1 <= x.stride <= INT_MAX):
        return BLAS_OK
    p = <Field*>_scratch(x.size, 1, sizeof(Field))
    if p == NULL:
        return BLAS_NO_MEMORY
    for i in range(x.size):
        p[i] = source[i * x.stride]
    if Field is floatcomplex or Field is doublecomplex:
        if conj:
            for i in range(x.size):
                p[i] = p[i].conjugate()
    scratch[0] = p
    data[0] = p
    step[0] = 1
    return BLAS_OK


# -- gemv -----------------------------------------------------------------------------------------

cdef int blas_gemv(Field* tag, const void* alpha_p, const Matrix* a, const Vector* x,
                   const void* beta_p, const Vector* y) noexcept nogil:
    cdef Field alpha = _scalar(tag, alpha_p, 1), beta = _scalar(tag, beta_p, 0)
    cdef Matrix y_matrix = matrix(y.data, y.size, 1, y.stride, 1)
    cdef Matrix x_matrix
    cdef Operand op
    cdef Field* x_data
    cdef Field* y_data = <Field*>y.data
    cdef void* x_scratch
    cdef int x_step, y_step, rows, cols, status
    if a.rows == 0:
        return BLAS_OK
    if a.cols == 0:
        scale(tag, beta, &y_matrix)
        return BLAS_OK
    # a stride of the result that BLAS cannot use is rare, so the loops handle it
    if <double>a.rows * a.cols * _weight(tag) <= SMALL or (
            y.size > 1 and not 1 <= y.stride <= INT_MAX):
        x_matrix = matrix(x.data, x.size, 1, x.stride, 1)
        x_matrix.conj = x.conj
        small_gemm(tag, alpha, a, &x_matrix, beta, &y_matrix)
        return BLAS_OK
    if Field is float or Field is double:
        if tiles_are_fast() and (a.col_stride == 1 or a.row_stride == 1):
            return tile_gemv(alpha, a, x, beta, y)
    if a.rows > INT_MAX or a.cols > INT_MAX:
        return BLAS_TOO_LARGE
    status = _operand(tag, a, &op)
    if status != BLAS_OK:
        return status
    status = _dense(tag, x, &x_data, &x_step, &x_scratch)
    if status != BLAS_OK:
        free(op.scratch)
        return status
    if beta == 0:
        scale(tag, beta, &y_matrix)        # some versions of gemv compute nan * 0 = nan
        beta = 1
    rows = <int>(a.rows if op.trans == c'N' else a.cols)
    cols = <int>(a.cols if op.trans == c'N' else a.rows)
    y_step = <int>y.stride if y.size > 1 else 1
    if Field is float:
        sgemv(&op.trans, &rows, &cols, &alpha, <float*>op.data, &op.ld, x_data, &x_step, &beta,
              y_data, &y_step)
    elif Field is double:
        dgemv(&op.trans, &rows, &cols, &alpha, <double*>op.data, &op.ld, x_data, &x_step, &beta,
              y_data, &y_step)
    elif Field is floatcomplex:
        cgemv(&op.trans, &rows, &cols, &alpha, <float complex*>op.data, &op.ld, x_data, &x_step,
              &beta, y_data, &y_step)
    else:
        zgemv(&op.trans, &rows, &cols, &alpha, <double complex*>op.data, &op.ld, x_data, &x_step,
              &beta, y_data, &y_step)
    free(x_scratch)
    free(op.scratch)
    return BLAS_OK


# -- gemm -----------------------------------------------------------------------------------------

cdef int _column_major(Field* tag, Field alpha, const Matrix* a, const Matrix* b, Field beta,
                       Field* c, Py_ssize_t ldc) noexcept nogil:
    """Call BLAS for a result whose columns have no gaps."""
    cdef Operand x, y
    cdef int m = <int>a.rows, n = <int>b.cols, k = <int>a.cols, ld = <int>ldc
    cdef int status = _operand(tag, a, &x)
    if status != BLAS_OK:
        return status
    status = _operand(tag, b, &y)
    if status != BLAS_OK:
        free(x.scratch)
        return status
    if Field is float:
        sgemm(&x.trans, &y.trans, &m, &n, &k, &alpha, <float*>x.data, &x.ld, <float*>y.data, &y.ld,
              &beta, c, &ld)
    elif Field is double:
        dgemm(&x.trans, &y.trans, &m, &n, &k, &alpha, <double*>x.data, &x.ld, <double*>y.data,
              &y.ld, &beta, c, &ld)
    elif Field is floatcomplex:
        cgemm(&x.trans, &y.trans, &m, &n, &k, &alpha, <float complex*>x.data, &x.ld,
              <float complex*>y.data, &y.ld, &beta, c, &ld)
    else:
        zgemm(&x.trans, &y.trans, &m, &n, &k, &alpha, <double complex*>x.data, &x.ld,
              <double complex*>y.data, &y.ld, &beta, c, &ld)
    free(x.scratch)
    free(y.scratch)
    return BLAS_OK


cdef int _by_vectors(Field* tag, const void* alpha_p, const Matrix* a, const Matrix* b,
                     const void* beta_p, const Matrix* c) noexcept nogil:
    """Compute the product column by column, or row by row if there are fewer rows."""
    cdef Matrix bt
    cdef Vector x, y
    cdef Py_ssize_t i, item = sizeof(Field)
    cdef int status = BLAS_OK
    if c.rows < c.cols:
        bt = transposed(b)
        for i in range(c.rows):
            x = vector(a.data + i * a.row_stride * item, a.cols, a.col_stride)
            x.conj = a.conj
            y = vector(c.data + i * c.row_stride * item, c.cols, c.col_stride)
            status = blas_gemv(tag, alpha_p, &bt, &x, beta_p, &y)
            if status != BLAS_OK:
                return status
        return BLAS_OK
    for i in range(c.cols):
        x = vector(b.data + i * b.col_stride * item, b.rows, b.row_stride)
        x.conj = b.conj
        y = vector(c.data + i * c.col_stride * item, c.rows, c.row_stride)
        status = blas_gemv(tag, alpha_p, a, &x, beta_p, &y)
        if status != BLAS_OK:
            return status
    return BLAS_OK


cdef int _tiled(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                const Matrix* c) noexcept nogil:
    if few_rows(<Real*>NULL, b, c):
        return few_gemm(alpha, a, b, beta, c)
    return tile_gemm(alpha, a, b, beta, c)


cdef int blas_gemm(Field* tag, const void* alpha_p, const Matrix* a, const Matrix* b,
                   const void* beta_p, const Matrix* c) noexcept nogil:
    cdef Field alpha = _scalar(tag, alpha_p, 1), beta = _scalar(tag, beta_p, 0)
    cdef Matrix at, bt, ct, packed
    cdef int status, few = 1
    if c.rows == 0 or c.cols == 0:
        return BLAS_OK
    if a.cols == 0:
        scale(tag, beta, c)
        return BLAS_OK
    if <double>c.rows * c.cols * a.cols * _weight(tag) <= SMALL:
        small_gemm(tag, alpha, a, b, beta, c)
        return BLAS_OK
    at = transposed(a)
    bt = transposed(b)
    if Field is float or Field is double:
        if tiles_are_fast():
            ct = transposed(c)
            # a vector of columns is faster from three columns on; the other side is the rows
            few = 2
            if c.rows <= few or c.cols <= few:
                pass
            elif c.col_stride == 1 and c.cols > 2 * few:
                return _tiled(alpha, a, b, beta, c)
            elif c.row_stride == 1 and c.rows > 2 * few:
                return _tiled(alpha, &bt, &at, beta, &ct)
            elif c.col_stride == 1 or c.row_stride == 1:
                few = 4
    if c.rows > INT_MAX or c.cols > INT_MAX or a.cols > INT_MAX:
        return BLAS_TOO_LARGE
    if c.cols <= few or c.rows <= few:
        return _by_vectors(tag, alpha_p, a, b, beta_p, c)
    if _fits(c.cols, c.col_stride, c.rows, c.row_stride):
        return _column_major(tag, alpha, &bt, &at, beta, <Field*>c.data, c.row_stride)
    if _fits(c.rows, c.row_stride, c.cols, c.col_stride):
        return _column_major(tag, alpha, a, b, beta, <Field*>c.data, c.col_stride)
    packed = matrix(<char*>_scratch(c.rows, c.cols, sizeof(Field)), c.rows, c.cols, c.cols, 1)
    if packed.data == NULL:
        return BLAS_NO_MEMORY
    if beta != 0:
        _copy(sizeof(Field), &packed, c)
    status = _column_major(tag, alpha, &bt, &at, beta, <Field*>packed.data, c.cols)
    if status == BLAS_OK:
        _copy(sizeof(Field), c, &packed)
    free(packed.data)
    return status


# -- dot ------------------------------------------------------------------------------------------

cdef inline Field _dot_call(Field* tag, int n, Field* x, int dx, Field* y, int dy,
                            bint conj) noexcept nogil:
    if Field is float:
        return sdot(&n, x, &dx, y, &dy)
    elif Field is double:
        return ddot(&n, x, &dx, y, &dy)
    elif Field is floatcomplex:
        return cdotc(&n, x, &dx, y, &dy) if conj else cdotu(&n, x, &dx, y, &dy)
    else:
        return zdotc(&n, x, &dx, y, &dy) if conj else zdotu(&n, x, &dx, y, &dy)


cdef void blas_dot(Field* tag, const Vector* x, const Vector* y, Field* out) noexcept nogil:
    cdef Field total = 0
    cdef Field* p = <Field*>x.data
    cdef Field* q = <Field*>y.data
    cdef Py_ssize_t done = 0, n, dx = x.stride, dy = y.stride
    if Field is float or Field is double:
        if dx == 1 and dy == 1:
            out[0] = tile_dot(x.size, p, q)
            return
    if x.size <= SMALL_DOT or not (1 <= dx <= INT_MAX and 1 <= dy <= INT_MAX):
        small_dot(tag, x, y, out)
        return
    if y.conj and not x.conj:
        blas_dot(tag, y, x, out)
        return
    while done < x.size:
        n = x.size - done if x.size - done < CHUNK else CHUNK
        total = total + _dot_call(tag, <int>n, p + done * dx, <int>dx, q + done * dy, <int>dy,
                                  x.conj and not y.conj)
        done += n
    if Field is floatcomplex or Field is doublecomplex:
        if x.conj and y.conj:
            total = total.conjugate()
    out[0] = total
