"""Cholesky factors and triangular systems: potrf, potrs, potri and BLAS's trsm.

Small matrices are handled by the loops here, since a call of LAPACK takes longer than the work.
"""

from libc.math cimport sqrt

from scipy.linalg.cython_blas cimport ctrsm, dtrsm, strsm, ztrsm
from scipy.linalg.cython_lapack cimport (
    cpotrf, cpotri, cpotrs, dpotrf, dpotri, dpotrs, spotrf, spotri, spotrs, zpotrf, zpotri, zpotrs,
)

from minitorch.core.dtype cimport Complex64, Complex128, Float32, Float64
from minitorch.kernels.common.types cimport Field
from minitorch.kernels.linalg.lapack cimport LAPACK_NO_DTYPE, LAPACK_OK, LAPACK_TOO_LARGE, at_least_1, fits

cdef enum:
    SMALL = 8                    # number of rows up to which the loops here are faster


cdef inline double _real(Field x) noexcept nogil:
    if Field is float or Field is double:
        return x
    else:
        return x.real


cdef inline Field _conj(Field x) noexcept nogil:
    if Field is float or Field is double:
        return x
    else:
        return x.conjugate()


cdef int _small_cholesky(Field* a, Py_ssize_t n, bint upper) noexcept nogil:
    """Factor one matrix; entry (i, j) of the lower factor is a[i * row + j * col], conjugated when upper."""
    cdef Py_ssize_t i, j, k, row = n if upper else 1, col = 1 if upper else n
    cdef double pivot
    cdef Field x, root
    for j in range(n):
        pivot = _real(a[j * row + j * col])
        for k in range(j):
            x = a[j * row + k * col]
            pivot -= _real(x * _conj(x))
        if not pivot > 0:
            a[j * row + j * col] = <Field>pivot
            return <int>j + 1
        root = <Field>sqrt(pivot)
        a[j * row + j * col] = root
        for i in range(j + 1, n):
            x = a[i * row + j * col]
            for k in range(j):
                x = x - a[i * row + k * col] * _conj(a[j * row + k * col])
            a[i * row + j * col] = x / root
    return 0


cdef void _cholesky(Field* a, Py_ssize_t batch, Py_ssize_t n, bint upper,
                    int* infos) noexcept nogil:
    cdef char uplo = c"U" if upper else c"L"
    cdef int size = <int>n, ld = <int>at_least_1(n)
    cdef Py_ssize_t b, i, j
    for b in range(batch):
        if n <= SMALL:
            infos[b] = _small_cholesky(a, n, upper)
        elif Field is float:
            spotrf(&uplo, &size, a, &ld, &infos[b])
        elif Field is double:
            dpotrf(&uplo, &size, a, &ld, &infos[b])
        elif Field is floatcomplex:
            cpotrf(&uplo, &size, a, &ld, &infos[b])
        else:
            zpotrf(&uplo, &size, a, &ld, &infos[b])
        for j in range(1, n):
            for i in range(j):
                if upper:
                    a[j + i * n] = 0
                else:
                    a[i + j * n] = 0
        a += n * n


cdef int cholesky(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, char* a,
                  int* infos) noexcept nogil:
    if not fits(n):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _cholesky(<float*>a, batch, n, upper, infos)
    elif dtype == Float64:
        _cholesky(<double*>a, batch, n, upper, infos)
    elif dtype == Complex64:
        _cholesky(<float complex*>a, batch, n, upper, infos)
    elif dtype == Complex128:
        _cholesky(<double complex*>a, batch, n, upper, infos)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


cdef void _solve(Field* factor, Py_ssize_t step, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs,
                 bint upper, Field* b) noexcept nogil:
    cdef char uplo = c"U" if upper else c"L"
    cdef int size = <int>n, columns = <int>nrhs, ld = <int>at_least_1(n), info
    cdef Py_ssize_t _k
    for _k in range(batch):
        if Field is float:
            spotrs(&uplo, &size, &columns, factor, &ld, b, &ld, &info)
        elif Field is double:
            dpotrs(&uplo, &size, &columns, factor, &ld, b, &ld, &info)
        elif Field is floatcomplex:
            cpotrs(&uplo, &size, &columns, factor, &ld, b, &ld, &info)
        else:
            zpotrs(&uplo, &size, &columns, factor, &ld, b, &ld, &info)
        factor += step
        b += n * nrhs


cdef int cholesky_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, bint upper,
                        const char* factor, Py_ssize_t factor_step, char* b) noexcept nogil:
    if not (fits(n) and fits(nrhs)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _solve(<float*>factor, factor_step, batch, n, nrhs, upper, <float*>b)
    elif dtype == Float64:
        _solve(<double*>factor, factor_step, batch, n, nrhs, upper, <double*>b)
    elif dtype == Complex64:
        _solve(<float complex*>factor, factor_step, batch, n, nrhs, upper, <float complex*>b)
    elif dtype == Complex128:
        _solve(<double complex*>factor, factor_step, batch, n, nrhs, upper, <double complex*>b)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


cdef void _inverse(Field* a, Py_ssize_t batch, Py_ssize_t n, bint upper, int* infos) noexcept nogil:
    cdef char uplo = c"U" if upper else c"L"
    cdef int size = <int>n, ld = <int>at_least_1(n)
    cdef Py_ssize_t b, i, j
    for b in range(batch):
        if Field is float:
            spotri(&uplo, &size, a, &ld, &infos[b])
        elif Field is double:
            dpotri(&uplo, &size, a, &ld, &infos[b])
        elif Field is floatcomplex:
            cpotri(&uplo, &size, a, &ld, &infos[b])
        else:
            zpotri(&uplo, &size, a, &ld, &infos[b])
        for j in range(n):
            for i in range(j + 1, n):
                if upper:
                    a[i + j * n] = _conj(a[j + i * n])
                else:
                    a[j + i * n] = _conj(a[i + j * n])
        a += n * n


cdef int cholesky_inverse(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, char* a,
                          int* infos) noexcept nogil:
    if not fits(n):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _inverse(<float*>a, batch, n, upper, infos)
    elif dtype == Float64:
        _inverse(<double*>a, batch, n, upper, infos)
    elif dtype == Complex64:
        _inverse(<float complex*>a, batch, n, upper, infos)
    elif dtype == Complex128:
        _inverse(<double complex*>a, batch, n, upper, infos)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


# ---- triangular systems

cdef void _triangular(Field* a, Py_ssize_t step, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n,
                      bint left, bint upper, char trans, bint unit, Field* b) noexcept nogil:
    cdef char side = c"L" if left else c"R"
    cdef char uplo = c"U" if upper else c"L"
    cdef char diag = c"U" if unit else c"N"
    cdef int rows = <int>m, cols = <int>n, ldb = <int>at_least_1(m)
    cdef int lda = ldb if left else <int>at_least_1(n)
    cdef Field one = 1
    cdef Py_ssize_t _k
    for _k in range(batch):
        if Field is float:
            strsm(&side, &uplo, &trans, &diag, &rows, &cols, &one, a, &lda, b, &ldb)
        elif Field is double:
            dtrsm(&side, &uplo, &trans, &diag, &rows, &cols, &one, a, &lda, b, &ldb)
        elif Field is floatcomplex:
            ctrsm(&side, &uplo, &trans, &diag, &rows, &cols, &one, a, &lda, b, &ldb)
        else:
            ztrsm(&side, &uplo, &trans, &diag, &rows, &cols, &one, a, &lda, b, &ldb)
        a += step
        b += m * n


cdef int solve_triangular(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint left,
                          bint upper, char trans, bint unit, const char* a, Py_ssize_t a_step,
                          char* b) noexcept nogil:
    if not (fits(m) and fits(n)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _triangular(<float*>a, a_step, batch, m, n, left, upper, trans, unit, <float*>b)
    elif dtype == Float64:
        _triangular(<double*>a, a_step, batch, m, n, left, upper, trans, unit, <double*>b)
    elif dtype == Complex64:
        _triangular(<float complex*>a, a_step, batch, m, n, left, upper, trans, unit,
                    <float complex*>b)
    elif dtype == Complex128:
        _triangular(<double complex*>a, a_step, batch, m, n, left, upper, trans, unit,
                    <double complex*>b)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK
