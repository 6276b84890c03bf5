"""Matrix products: the choice of the implementation, 16-bit dtypes, batches and outer products.

The four types of BLAS are in gemm_blas.pyx, which uses the tiles of gemm_tiles.pyx, gemm_few.pyx and
gemv_tiles.pyx where they are faster. Integers and small matrices are in gemm_loops.pyx.
"""

from libc.stdlib cimport free, malloc

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    BFloat16, Complex128, Complex64, Float16, Float32, Float64, Int16, Int32, Int64, Int8, UInt8,
    has_float_kernels, is_complex, is_integral, itemsizes)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.linalg.blas_threads cimport enter_region, leave_region
from minitorch.kernels.linalg.gemm_blas cimport blas_dot, blas_gemm, blas_gemv
from minitorch.kernels.linalg.gemm_loops cimport (
    integer_gemm, outer, small_dot, uint8_t, uint16_t, uint32_t, uint64_t,
)
from minitorch.kernels.linalg.gemm_tiles cimport tiles_are_fast
from minitorch.kernels.linalg.matrix cimport BLAS_NO_DTYPE, BLAS_NO_MEMORY, BLAS_OK, matrix


# -- float16 and bfloat16: all operands as float32, one rounding at the end ------------------------

cdef float* _floats(Py_ssize_t rows, Py_ssize_t cols) noexcept nogil:
    if <double>rows * <double>cols > 1e18:
        return NULL
    return <float*>malloc(rows * cols * sizeof(float) + 1)     # not NULL even without elements


cdef simd _widen_row(const narrow_t* row, Py_ssize_t step, float* to, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    if step == 1:
        for j in range(n):
            to[j] = to_float(row[j])
    else:
        for j in range(n):
            to[j] = to_float(row[j * step])


cdef simd _narrow_row(const float* row, narrow_t* to, Py_ssize_t step, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    if step == 1:
        for j in range(n):
            store_float(to + j, row[j])
    else:
        for j in range(n):
            store_float(to + j * step, row[j])


cdef int _widen(narrow_t* tag, const Matrix* m, Matrix* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef float* to = <float*>_floats(m.rows, m.cols)
    if to == NULL:
        return BLAS_NO_MEMORY
    if m.row_stride == 1 and m.cols > 1:
        # keep a transposed matrix transposed
        out[0] = matrix(<char*>to, m.rows, m.cols, 1, m.rows)
        for i in range(m.cols):
            _widen_row(<const narrow_t*>m.data + i * m.col_stride, 1, to + i * m.rows, m.rows)
        return BLAS_OK
    out[0] = matrix(<char*>to, m.rows, m.cols, m.cols, 1)
    for i in range(m.rows):
        _widen_row(<const narrow_t*>m.data + i * m.row_stride, m.col_stride, to + i * m.cols,
                   m.cols)
    return BLAS_OK


cdef void _narrow(narrow_t* tag, const Matrix* m, const Matrix* out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(m.rows):
        _narrow_row(<const float*>m.data + i * m.cols, <narrow_t*>out.data + i * out.row_stride,
                    out.col_stride, m.cols)


cdef void _combine(narrow_t* tag, const void* alpha, const void* beta, const Matrix* c,
                   const Matrix* product) noexcept nogil:
    """Compute product = alpha product + beta c, rounded once to float32 like PyTorch's products."""
    cdef double a = <float>(<const double*>alpha)[0] if alpha != NULL else 1
    cdef double b = <float>(<const double*>beta)[0] if beta != NULL else 0
    cdef float* p
    cdef Py_ssize_t i, j
    for i in range(c.rows):
        for j in range(c.cols):
            p = <float*>product.data + i * c.cols + j
            p[0] = <float>(a * p[0] if b == 0 else a * p[0] + b * to_float(
                (<const narrow_t*>c.data)[i * c.row_stride + j * c.col_stride]))


cdef int _narrow_gemm(narrow_t* tag, const void* alpha, const Matrix* a, const Matrix* b,
                      const void* beta, const Matrix* c) noexcept nogil:
    cdef Matrix wide_a, wide_b, product
    cdef int status
    wide_a.data = wide_b.data = product.data = NULL
    status = _widen(tag, a, &wide_a)
    if status == BLAS_OK:
        status = _widen(tag, b, &wide_b)
    if status == BLAS_OK:
        product = matrix(<char*>_floats(c.rows, c.cols), c.rows, c.cols, c.cols, 1)
        status = BLAS_OK if product.data != NULL else BLAS_NO_MEMORY
    if status == BLAS_OK:
        status = blas_gemm(<float*>NULL, NULL, &wide_a, &wide_b, NULL, &product)
    if status == BLAS_OK:
        if alpha != NULL or beta != NULL:
            _combine(tag, alpha, beta, c, &product)
        _narrow(tag, &product, c)
    free(wide_a.data)
    free(wide_b.data)
    free(product.data)
    return status


# -- the interface --------------------------------------------------------------------------------

cdef int gemm(int dtype, const void* alpha, const Matrix* a, const Matrix* b,
              const void* beta, const Matrix* c) noexcept nogil:
    cdef long long by, to
    if dtype == Float32:
        return blas_gemm(<float*>NULL, alpha, a, b, beta, c)
    if dtype == Float64:
        return blas_gemm(<double*>NULL, alpha, a, b, beta, c)
    if dtype == Complex64:
        return blas_gemm(<float complex*>NULL, alpha, a, b, beta, c)
    if dtype == Complex128:
        return blas_gemm(<double complex*>NULL, alpha, a, b, beta, c)
    if dtype == Float16:
        return _narrow_gemm(<half_t*>NULL, alpha, a, b, beta, c)
    if dtype == BFloat16:
        return _narrow_gemm(<bfloat16_t*>NULL, alpha, a, b, beta, c)
    by = (<const long long*>alpha)[0] if alpha != NULL else 1
    to = (<const long long*>beta)[0] if beta != NULL else 0
    return integer_gemm(_integer_size(dtype), by, a, b, to, c)


cdef int _integer_size(int dtype) noexcept nogil:
    if dtype == UInt8 or dtype == Int8:
        return 1
    return 2 if dtype == Int16 else 4 if dtype == Int32 else 8 if dtype == Int64 else 0


cdef int gemv(int dtype, const void* alpha, const Matrix* a, const Vector* x,
              const void* beta, const Vector* y) noexcept nogil:
    cdef Matrix x_matrix, y_matrix
    if dtype == Float32:
        return blas_gemv(<float*>NULL, alpha, a, x, beta, y)
    if dtype == Float64:
        return blas_gemv(<double*>NULL, alpha, a, x, beta, y)
    if dtype == Complex64:
        return blas_gemv(<float complex*>NULL, alpha, a, x, beta, y)
    if dtype == Complex128:
        return blas_gemv(<double complex*>NULL, alpha, a, x, beta, y)
    x_matrix = matrix(x.data, x.size, 1, x.stride, 1)
    y_matrix = matrix(y.data, y.size, 1, y.stride, 1)
    return gemm(dtype, alpha, a, &x_matrix, beta, &y_matrix)


cdef int bmm(int dtype, Py_ssize_t batch, const void* alpha,
             const Matrix* a, Py_ssize_t a_batch_stride,
             const Matrix* b, Py_ssize_t b_batch_stride,
             const void* beta, const Matrix* c, Py_ssize_t c_batch_stride) noexcept nogil:
    cdef Py_ssize_t size = itemsizes[dtype]
    cdef double work = <double>batch * c.rows * c.cols * (a.cols if a.cols > 0 else 1)
    cdef int status = BLAS_OK, part, parts
    cdef bint own              # BLAS will not be called
    if batch <= 0:
        return BLAS_OK
    # about 32 multiplications per nanosecond, and 60 nanoseconds for each call
    parts = threads_for(<Py_ssize_t>(work / 32 + 60 * batch)) if batch > 1 else 1
    parts = parts if parts < batch else <int>batch
    # a few large matrices that do not divide evenly among the threads are better split inside BLAS
    if batch % parts != 0 and batch < 4 * parts and work / batch > 4e6:
        parts = 1
    own = not is_complex(dtype) and (is_integral(dtype) or tiles_are_fast())
    if parts > 1 and (own or enter_region()):
        # statuses are negative or 0, so `|` keeps any failure
        for part in prange(parts, num_threads=parts, schedule="static"):
            status |= _batches(dtype, batch * part // parts, batch * (part + 1) // parts, size,
                               alpha, a, a_batch_stride, b, b_batch_stride, beta, c, c_batch_stride)
        if not own:
            leave_region()
        return status
    return _batches(dtype, 0, batch, size, alpha, a, a_batch_stride, b, b_batch_stride, beta, c,
                    c_batch_stride)


cdef int _batches(int dtype, Py_ssize_t low, Py_ssize_t high, Py_ssize_t size, const void* alpha,
                  const Matrix* a, Py_ssize_t a_step, const Matrix* b, Py_ssize_t b_step,
                  const void* beta, const Matrix* c, Py_ssize_t c_step) noexcept nogil:
    cdef Matrix x = a[0], y = b[0], z = c[0]
    cdef Py_ssize_t i
    cdef int status
    for i in range(low, high):
        x.data = a.data + i * a_step * size
        y.data = b.data + i * b_step * size
        z.data = c.data + i * c_step * size
        status = gemm(dtype, alpha, &x, &y, beta, &z)
        if status != BLAS_OK:
            return status
    return BLAS_OK


# -- dot and outer product ------------------------------------------------------------------------

cdef void _narrow_dot(const Vector* x, const Vector* y, narrow_t* out) noexcept nogil:
    cdef Py_ssize_t i
    cdef float total = 0
    cdef const narrow_t* p = <const narrow_t*>x.data
    cdef const narrow_t* q = <const narrow_t*>y.data
    for i in range(x.size):
        total += to_float(p[i * x.stride]) * to_float(q[i * y.stride])
    store_float(out, total)


cdef int dot(int dtype, const Vector* x, const Vector* y, char* out) noexcept nogil:
    if dtype == Float32:
        blas_dot(<float*>NULL, x, y, <float*>out)
    elif dtype == Float64:
        blas_dot(<double*>NULL, x, y, <double*>out)
    elif dtype == Complex64:
        blas_dot(<float complex*>NULL, x, y, <float complex*>out)
    elif dtype == Complex128:
        blas_dot(<double complex*>NULL, x, y, <double complex*>out)
    elif dtype == Float16:
        _narrow_dot(x, y, <half_t*>out)
    elif dtype == BFloat16:
        _narrow_dot(x, y, <bfloat16_t*>out)
    elif dtype == Int64:
        small_dot(<uint64_t*>NULL, x, y, <uint64_t*>out)
    elif dtype == Int32:
        small_dot(<uint32_t*>NULL, x, y, <uint32_t*>out)
    elif dtype == Int16:
        small_dot(<uint16_t*>NULL, x, y, <uint16_t*>out)
    elif dtype == Int8 or dtype == UInt8:
        small_dot(<uint8_t*>NULL, x, y, <uint8_t*>out)
    else:
        return BLAS_NO_DTYPE
    return BLAS_OK


cdef void _narrow_outer(narrow_t* tag, float alpha, const Vector* x, const Vector* y, float beta,
                        const Matrix* a) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef float factor, value
    cdef narrow_t* row
    for i in range(a.rows):
        factor = alpha * to_float((<const narrow_t*>x.data)[i * x.stride])
        row = <narrow_t*>a.data + i * a.row_stride
        for j in range(a.cols):
            value = factor * to_float((<const narrow_t*>y.data)[j * y.stride])
            if beta != 0:
                value += beta * to_float(row[j * a.col_stride])
            store_float(row + j * a.col_stride, value)


cdef int ger(int dtype, const void* alpha, const Vector* x, const Vector* y,
             const void* beta, const Matrix* a) noexcept nogil:
    cdef long long by = 1, to = 0
    cdef double real_by = 1, real_to = 0
    cdef double complex complex_by = 1, complex_to = 0
    if dtype == Complex64 or dtype == Complex128:
        complex_by = (<const double complex*>alpha)[0] if alpha != NULL else complex_by
        complex_to = (<const double complex*>beta)[0] if beta != NULL else complex_to
    elif has_float_kernels(dtype):
        real_by = (<const double*>alpha)[0] if alpha != NULL else real_by
        real_to = (<const double*>beta)[0] if beta != NULL else real_to
    else:
        by = (<const long long*>alpha)[0] if alpha != NULL else by
        to = (<const long long*>beta)[0] if beta != NULL else to
    if dtype == Float32:
        outer(<float*>NULL, <float>real_by, x, y, <float>real_to, a)
    elif dtype == Float64:
        outer(<double*>NULL, real_by, x, y, real_to, a)
    elif dtype == Complex64:
        outer(<float complex*>NULL, <float complex>complex_by, x, y, <float complex>complex_to, a)
    elif dtype == Complex128:
        outer(<double complex*>NULL, complex_by, x, y, complex_to, a)
    elif dtype == Float16:
        _narrow_outer(<half_t*>NULL, <float>real_by, x, y, <float>real_to, a)
    elif dtype == BFloat16:
        _narrow_outer(<bfloat16_t*>NULL, <float>real_by, x, y, <float>real_to, a)
    elif dtype == Int64:
        outer(<uint64_t*>NULL, <uint64_t>by, x, y, <uint64_t>to, a)
    elif dtype == Int32:
        outer(<uint32_t*>NULL, <uint32_t>by, x, y, <uint32_t>to, a)
    elif dtype == Int16:
        outer(<uint16_t*>NULL, <uint16_t>by, x, y, <uint16_t>to, a)
    elif dtype == Int8 or dtype == UInt8:
        outer(<uint8_t*>NULL, <uint8_t>by, x, y, <uint8_t>to, a)
    else:
        return BLAS_NO_DTYPE
    return BLAS_OK
