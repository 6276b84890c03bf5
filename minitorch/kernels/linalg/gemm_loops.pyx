"""Matrix products by plain loops.

The inner loop always runs along a row of the result, `row[j] += a[i, k] * b[k, j]`. Its steps are independent, so
it is vectorised without reordering a sum, which a loop along k would require. It needs rows of `b` and `c`
without gaps, so rows with gaps are packed.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.kernels.common.copy cimport copy_strided
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Unsigned
from minitorch.kernels.linalg.matrix cimport BLAS_NO_DTYPE, BLAS_NO_MEMORY, BLAS_OK, transposed

cdef enum:
    ROW = 64               # columns of the result that `small_gemm` computes at a time
    PACKED = 1024          # elements of `b` that it packs on the stack
    K_BLOCK = 256          # rows of `b` that stay in the cache while the rows of `c` are processed
    N_BLOCK = 2048


cdef inline Number _conj(Number value) noexcept nogil:
    if Number is floatcomplex or Number is doublecomplex:
        return value.conjugate()
    else:
        return value


cdef inline Number _times(Number x, Number y) noexcept nogil:
    if Number is uint16_t:
        return <uint16_t>(<uint32_t>x * y)       # C would multiply two ints, which may overflow
    else:
        return <Number>(x * y)


cdef inline void _small(Number alpha, const Matrix* a, const Number* b, Py_ssize_t b_row,
                        bint conj_b, Number beta, const Matrix* c) noexcept nogil:
    cdef Py_ssize_t i, k, j, j0 = 0, n
    cdef Number row[ROW]
    cdef Number factor
    cdef const Number* a_row
    cdef const Number* line
    cdef Number* out
    while j0 < c.cols:
        n = c.cols - j0 if c.cols - j0 < ROW else ROW
        for i in range(c.rows):
            a_row = <const Number*>a.data + i * a.row_stride
            for j in range(n):
                row[j] = 0
            for k in range(a.cols):
                factor = a_row[k * a.col_stride]
                if a.conj:
                    factor = _conj(factor)
                line = b + k * b_row + j0
                if conj_b:
                    for j in range(n):
                        row[j] = row[j] + factor * _conj(line[j])
                else:
                    for j in range(n):
                        row[j] = row[j] + factor * line[j]
            out = <Number*>c.data + i * c.row_stride + j0 * c.col_stride
            if beta == 0:
                for j in range(n):
                    out[j * c.col_stride] = alpha * row[j]
            else:
                for j in range(n):
                    out[j * c.col_stride] = alpha * row[j] + beta * out[j * c.col_stride]
        j0 += ROW


cdef inline void _narrow(Number alpha, const Matrix* a, const Matrix* b, Number beta,
                         const Matrix* c, int width) noexcept nogil:
    """Compute a product of at most `width` columns, a constant, with rows padded by zeros to vectors."""
    cdef Number packed[PACKED]
    cdef Number row[8]
    cdef Number factor
    cdef Py_ssize_t i, j, k
    cdef const Number* source = <const Number*>b.data
    cdef const Number* a_row
    cdef const Number* line
    cdef Number* out
    for k in range(b.rows):
        for j in range(width):
            packed[k * width + j] = 0
        for j in range(b.cols):
            packed[k * width + j] = source[k * b.row_stride + j * b.col_stride]
    for i in range(c.rows):
        a_row = <const Number*>a.data + i * a.row_stride
        line = packed
        for j in range(width):
            row[j] = 0
        for k in range(a.cols):
            factor = a_row[k * a.col_stride]
            for j in range(width):
                row[j] = row[j] + factor * line[j]
            line += width
        out = <Number*>c.data + i * c.row_stride
        for j in range(c.cols):
            out[j * c.col_stride] = alpha * row[j] + (
                0 if beta == 0 else beta * out[j * c.col_stride])


cdef void small_gemm(Number* tag, Number alpha, const Matrix* a, const Matrix* b,
                     Number beta, const Matrix* c) noexcept nogil:
    cdef Number packed[PACKED]
    cdef Number* out = packed
    cdef Py_ssize_t k, j, size = b.rows * b.cols
    cdef Matrix at, bt, ct
    if c.cols == 1 and c.rows > 1:
        # rows of one element cannot be vectorised: compute the transposed product
        at = transposed(a)
        bt = transposed(b)
        ct = transposed(c)
        small_gemm(tag, alpha, &bt, &at, beta, &ct)
    elif (Number is float or Number is double) and b.cols <= 8 and b.rows * 8 <= PACKED:
        if b.cols <= 4:
            _narrow(alpha, a, b, beta, c, 4)
        else:
            _narrow(alpha, a, b, beta, c, 8)
    elif b.col_stride == 1 or b.cols == 1:
        _small(alpha, a, <const Number*>b.data, b.row_stride, b.conj, beta, c)
    else:
        if size > PACKED:
            out = <Number*>malloc(size * sizeof(Number))
        if out == NULL:
            _columns(alpha, a, b, beta, c)
            return
        for k in range(b.rows):
            for j in range(b.cols):
                out[k * b.cols + j] = (<const Number*>b.data)[k * b.row_stride + j * b.col_stride]
        _small(alpha, a, out, b.cols, b.conj, beta, c)
        if out != packed:
            free(out)


cdef void _columns(Number alpha, const Matrix* a, const Matrix* b,
                   Number beta, const Matrix* c) noexcept nogil:
    """Compute column by column, without scratch memory; used only if there is none."""
    cdef Py_ssize_t j, i, k
    cdef Number total
    cdef Number* out
    cdef const Number* x
    cdef const Number* y
    for j in range(c.cols):
        for i in range(c.rows):
            total = 0
            x = <const Number*>a.data + i * a.row_stride
            y = <const Number*>b.data + j * b.col_stride
            for k in range(a.cols):
                total = total + (
                    (_conj(x[k * a.col_stride]) if a.conj else x[k * a.col_stride])
                    * (_conj(y[k * b.row_stride]) if b.conj else y[k * b.row_stride]))
            out = <Number*>c.data + i * c.row_stride + j * c.col_stride
            out[0] = alpha * total if beta == 0 else alpha * total + beta * out[0]


cdef void scale(Number* tag, Number beta, const Matrix* c) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef Number* row
    if beta == 1:
        return
    for i in range(c.rows):
        row = <Number*>c.data + i * c.row_stride
        if beta != 0:
            for j in range(c.cols):
                row[j * c.col_stride] = _times(beta, row[j * c.col_stride])
        elif c.col_stride == 1:
            memset(row, 0, c.cols * sizeof(Number))
        else:
            for j in range(c.cols):
                row[j * c.col_stride] = 0


cdef void small_dot(Number* tag, const Vector* x, const Vector* y, Number* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef const Number* p = <const Number*>x.data
    cdef const Number* q = <const Number*>y.data
    # four sums, so that an addition need not wait for the previous one
    cdef Number s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef Py_ssize_t dx = x.stride, dy = y.stride, whole = x.size & ~3
    if x.conj or y.conj:
        for i in range(x.size):
            s0 = s0 + ((_conj(p[i * dx]) if x.conj else p[i * dx])
                       * (_conj(q[i * dy]) if y.conj else q[i * dy]))
        out[0] = s0
        return
    i = 0
    while i < whole:
        s0 = s0 + _times(p[i * dx], q[i * dy])
        s1 = s1 + _times(p[(i + 1) * dx], q[(i + 1) * dy])
        s2 = s2 + _times(p[(i + 2) * dx], q[(i + 2) * dy])
        s3 = s3 + _times(p[(i + 3) * dx], q[(i + 3) * dy])
        i += 4
    while i < x.size:
        s0 = s0 + _times(p[i * dx], q[i * dy])
        i += 1
    out[0] = (s0 + s1) + (s2 + s3)


cdef void _outer_rows(Number alpha, const Vector* x, const Vector* y, Number beta,
                      const Matrix* a, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t i, j, step = a.col_stride, dy = y.stride
    cdef Number factor, zero = 0
    cdef Number* row
    cdef const Number* q = <const Number*>y.data
    for i in range(low, high):
        factor = (<const Number*>x.data)[i * x.stride]
        if x.conj:
            factor = _conj(factor)
        factor = _times(alpha, factor)
        row = <Number*>a.data + i * a.row_stride
        if y.conj:
            for j in range(a.cols):
                row[j * step] = _times(factor, _conj(q[j * dy])) + (
                    zero if beta == 0 else _times(beta, row[j * step]))
        elif beta == 0:
            for j in range(a.cols):
                row[j * step] = _times(factor, q[j * dy])
        elif step == 1 and dy == 1:
            for j in range(a.cols):
                row[j] = _times(factor, q[j]) + _times(beta, row[j])
        else:
            for j in range(a.cols):
                row[j * step] = _times(factor, q[j * dy]) + _times(beta, row[j * step])


cdef void outer(Number* tag, Number alpha, const Vector* x, const Vector* y,
                Number beta, const Matrix* a) noexcept nogil:
    cdef Matrix t
    cdef int part, parts
    if a.row_stride == 1 and a.col_stride != 1:
        t = transposed(a)
        outer(tag, alpha, y, x, beta, &t)
        return
    parts = threads_for(a.rows * a.cols // 4)
    if parts == 1:
        _outer_rows(alpha, x, y, beta, a, 0, a.rows)
        return
    for part in prange(parts, num_threads=parts, schedule="static"):
        _outer_rows(alpha, x, y, beta, a, a.rows * part // parts, a.rows * (part + 1) // parts)


# -- integers -------------------------------------------------------------------------------------

cdef inline void _integer_block(Unsigned alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                                Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """Add the rows [low, high) of alpha * a @ b to c; the rows of b and c have no gaps."""
    cdef Py_ssize_t i, j, k, k0 = 0, k1, j0, n, step = a.col_stride, b_row = b.row_stride
    cdef const Unsigned* p
    cdef const Unsigned* q
    cdef Unsigned* row
    cdef Unsigned f0, f1, f2, f3
    while k0 < a.cols:
        k1 = k0 + K_BLOCK if a.cols - k0 > K_BLOCK else a.cols
        j0 = 0
        while j0 < c.cols:
            n = N_BLOCK if c.cols - j0 > N_BLOCK else c.cols - j0
            for i in range(low, high):
                row = <Unsigned*>c.data + i * c.row_stride + j0
                p = <const Unsigned*>a.data + i * a.row_stride
                k = k0
                while k + 4 <= k1:
                    q = <const Unsigned*>b.data + k * b_row + j0
                    f0 = _times(alpha, p[k * step])
                    f1 = _times(alpha, p[(k + 1) * step])
                    f2 = _times(alpha, p[(k + 2) * step])
                    f3 = _times(alpha, p[(k + 3) * step])
                    for j in range(n):
                        row[j] = row[j] + (
                            _times(f0, q[j]) + _times(f1, q[j + b_row])
                            + _times(f2, q[j + 2 * b_row]) + _times(f3, q[j + 3 * b_row]))
                    k += 4
                while k < k1:
                    q = <const Unsigned*>b.data + k * b_row + j0
                    f0 = _times(alpha, p[k * step])
                    for j in range(n):
                        row[j] = row[j] + _times(f0, q[j])
                    k += 1
            j0 += N_BLOCK
        k0 += K_BLOCK


cdef simd _block1(uint8_t alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                  Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    _integer_block(alpha, a, b, c, low, high)


cdef simd _block2(uint16_t alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                  Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    _integer_block(alpha, a, b, c, low, high)


cdef simd _block4(uint32_t alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                  Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    _integer_block(alpha, a, b, c, low, high)


cdef simd _block8(uint64_t alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                  Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    _integer_block(alpha, a, b, c, low, high)


cdef void _rows(int itemsize, long long alpha, const Matrix* a, const Matrix* b, const Matrix* c,
                Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    if itemsize == 1:
        _block1(<uint8_t>alpha, a, b, c, low, high)
    elif itemsize == 2:
        _block2(<uint16_t>alpha, a, b, c, low, high)
    elif itemsize == 4:
        _block4(<uint32_t>alpha, a, b, c, low, high)
    else:
        _block8(<uint64_t>alpha, a, b, c, low, high)


cdef void _copy(int itemsize, const Matrix* dst, const Matrix* src) noexcept nogil:
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


cdef void _scale(int itemsize, long long beta, const Matrix* c) noexcept nogil:
    if itemsize == 1:
        scale(<uint8_t*>NULL, <uint8_t>beta, c)
    elif itemsize == 2:
        scale(<uint16_t*>NULL, <uint16_t>beta, c)
    elif itemsize == 4:
        scale(<uint32_t*>NULL, <uint32_t>beta, c)
    else:
        scale(<uint64_t*>NULL, <uint64_t>beta, c)


cdef int integer_gemm(int itemsize, long long alpha, const Matrix* a, const Matrix* b,
                      long long beta, const Matrix* c) noexcept nogil:
    cdef Matrix dense_b = b[0], dense_c = c[0], at, bt, ct
    cdef Py_ssize_t b_size = 0, c_size = 0
    cdef char* scratch = NULL
    cdef int part, parts
    if itemsize != 1 and itemsize != 2 and itemsize != 4 and itemsize != 8:
        return BLAS_NO_DTYPE
    if c.rows > 1 and (c.cols == 1 or c.row_stride == 1 and c.col_stride != 1):
        # the transposed product has longer rows, or rows without gaps
        at = transposed(a)
        bt = transposed(b)
        ct = transposed(c)
        return integer_gemm(itemsize, alpha, &bt, &at, beta, &ct)
    if b.col_stride != 1 and b.cols > 1:
        b_size = b.rows * b.cols * itemsize
        dense_b.row_stride = b.cols
        dense_b.col_stride = 1
    if c.col_stride != 1 and c.cols > 1:
        c_size = c.rows * c.cols * itemsize
        dense_c.row_stride = c.cols
        dense_c.col_stride = 1
    if b_size + c_size > 0:
        scratch = <char*>malloc(b_size + c_size)
        if scratch == NULL:
            return BLAS_NO_MEMORY
    if b_size > 0:
        dense_b.data = scratch
        _copy(itemsize, &dense_b, b)
    if c_size > 0:
        dense_c.data = scratch + b_size
        if beta != 0:
            _copy(itemsize, &dense_c, c)
    _scale(itemsize, beta, &dense_c)
    # about eight multiplications per nanosecond
    parts = threads_for(<Py_ssize_t>(<double>c.rows * c.cols * a.cols / 8))
    parts = parts if parts < c.rows else <int>c.rows
    if parts <= 1:
        _rows(itemsize, alpha, a, &dense_b, &dense_c, 0, c.rows)
    else:
        for part in prange(parts, num_threads=parts, schedule="static"):
            _rows(itemsize, alpha, a, &dense_b, &dense_c, c.rows * part // parts,
                  c.rows * (part + 1) // parts)
    if c_size > 0:
        _copy(itemsize, c, &dense_c)
    free(scratch)
    return BLAS_OK
