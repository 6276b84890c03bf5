# Matrices and vectors in memory, and the statuses of the functions that multiply them. Strides are in elements.

cdef enum BlasStatus:
    BLAS_OK = 0
    BLAS_TOO_LARGE = -1          # a size above 2**31 - 1, the range of BLAS's integers
    BLAS_NO_MEMORY = -2          # no scratch memory
    BLAS_NO_DTYPE = -3           # Bool, or not a supported type

cdef struct Matrix:
    char* data                   # element (0, 0)
    Py_ssize_t rows
    Py_ssize_t cols
    Py_ssize_t row_stride        # from (0, 0) to (1, 0)
    Py_ssize_t col_stride        # from (0, 0) to (0, 1)
    bint conj

cdef struct Vector:
    char* data
    Py_ssize_t size
    Py_ssize_t stride
    bint conj

cdef inline Matrix matrix(char* data, Py_ssize_t rows, Py_ssize_t cols, Py_ssize_t row_stride,
                          Py_ssize_t col_stride) noexcept nogil:
    cdef Matrix m
    m.data = data
    m.rows = rows
    m.cols = cols
    m.row_stride = row_stride
    m.col_stride = col_stride
    m.conj = False
    return m

cdef inline Vector vector(char* data, Py_ssize_t size, Py_ssize_t stride) noexcept nogil:
    cdef Vector v
    v.data = data
    v.size = size
    v.stride = stride
    v.conj = False
    return v

cdef inline Matrix transposed(const Matrix* m) noexcept nogil:
    cdef Matrix t = m[0]
    t.rows = m.cols
    t.cols = m.rows
    t.row_stride = m.col_stride
    t.col_stride = m.row_stride
    return t
