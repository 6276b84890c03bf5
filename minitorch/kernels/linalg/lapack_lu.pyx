"""LU and LDL: LAPACK's getrf, getrs, sytrf, hetrf and their solvers.

A call of LAPACK has an overhead of a microsecond, so matrices up to `SMALL` are factored and solved by the loops
here, with the same pivots.
"""

from libc.math cimport fabs, hypot, log
from libc.stdlib cimport free, malloc

from scipy.linalg.cython_lapack cimport (
    cgetrf, cgetrs, chetrf, chetrs, csytrf, csytrs, dgetrf, dgetrs, dsytrf, dsytrs, sgetrf, sgetrs,
    ssytrf, ssytrs, zgetrf, zgetrs, zhetrf, zhetrs, zsytrf, zsytrs,
)

from minitorch.core.dtype cimport Complex64, Complex128, Float32, Float64
from minitorch.kernels.common.types cimport Field
from minitorch.kernels.linalg.lapack cimport (
    LAPACK_NO_DTYPE, LAPACK_NO_MEMORY, LAPACK_OK, LAPACK_TOO_LARGE, at_least_1, fits, scratch_bytes, work_length)

cdef enum:
    SMALL = 12                   # number of rows and columns up to which the loops here are faster


cdef inline double _taxicab(Field x) noexcept nogil:
    """Return the magnitude by which LAPACK compares pivots."""
    if Field is float or Field is double:
        return fabs(x)
    else:
        return fabs(x.real) + fabs(x.imag)


# ---- factorization

cdef int _small_lu(Field* a, Py_ssize_t m, Py_ssize_t n, int* pivots) noexcept nogil:
    """Factor one matrix column by column, like getf2; return info."""
    cdef Py_ssize_t i, j, k, best
    cdef double size, largest
    cdef Field x
    cdef int info = 0
    for k in range(min(m, n)):
        best = k
        largest = _taxicab(a[k + k * m])
        for i in range(k + 1, m):
            size = _taxicab(a[i + k * m])
            if size > largest:
                best, largest = i, size
        pivots[k] = <int>best + 1
        if a[best + k * m] == 0:
            if info == 0:
                info = <int>k + 1
            continue
        if best != k:
            for j in range(n):
                x = a[k + j * m]
                a[k + j * m] = a[best + j * m]
                a[best + j * m] = x
        x = a[k + k * m]
        for i in range(k + 1, m):
            a[i + k * m] = a[i + k * m] / x
        for j in range(k + 1, n):
            x = a[k + j * m]
            for i in range(k + 1, m):
                a[i + j * m] = a[i + j * m] - a[i + k * m] * x
    return info


cdef void _lu(Field* a, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, int* pivots,
              int* infos) noexcept nogil:
    cdef Py_ssize_t b, count = min(m, n)
    cdef int rows = <int>m, cols = <int>n, lda = <int>at_least_1(m)
    for b in range(batch):
        if m <= SMALL and n <= SMALL:
            infos[b] = _small_lu(a, m, n, pivots)
        elif Field is float:
            sgetrf(&rows, &cols, a, &lda, pivots, &infos[b])
        elif Field is double:
            dgetrf(&rows, &cols, a, &lda, pivots, &infos[b])
        elif Field is floatcomplex:
            cgetrf(&rows, &cols, a, &lda, pivots, &infos[b])
        else:
            zgetrf(&rows, &cols, a, &lda, pivots, &infos[b])
        a += m * n
        pivots += count


cdef int lu_factor(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, char* a, int* pivots,
                   int* infos) noexcept nogil:
    if not (fits(m) and fits(n)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _lu(<float*>a, batch, m, n, pivots, infos)
    elif dtype == Float64:
        _lu(<double*>a, batch, m, n, pivots, infos)
    elif dtype == Complex64:
        _lu(<float complex*>a, batch, m, n, pivots, infos)
    elif dtype == Complex128:
        _lu(<double complex*>a, batch, m, n, pivots, infos)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


# ---- solving

cdef void _small_solve(const Field* lu, Py_ssize_t n, Py_ssize_t nrhs, const int* pivots,
                       Field* b) noexcept nogil:
    cdef Py_ssize_t i, _j, k
    cdef Field x
    for _j in range(nrhs):
        for k in range(n):
            if pivots[k] != k + 1:
                x = b[k]
                b[k] = b[pivots[k] - 1]
                b[pivots[k] - 1] = x
        for k in range(n):
            x = b[k]
            for i in range(k + 1, n):
                b[i] = b[i] - lu[i + k * n] * x
        for k in range(n - 1, -1, -1):
            x = b[k] / lu[k + k * n]
            b[k] = x
            for i in range(k):
                b[i] = b[i] - lu[i + k * n] * x
        b += n


cdef inline Field _maybe_conj(Field x, bint conjugate) noexcept nogil:
    if Field is float or Field is double:
        return x
    else:
        return x.conjugate() if conjugate else x


cdef void _small_solve_transposed(const Field* lu, Py_ssize_t n, Py_ssize_t nrhs, bint conjugate,
                                  const int* pivots, Field* b) noexcept nogil:
    cdef Py_ssize_t i, _j, k
    cdef Field x
    for _j in range(nrhs):
        for k in range(n):
            x = b[k]
            for i in range(k):
                x = x - _maybe_conj(lu[i + k * n], conjugate) * b[i]
            b[k] = x / _maybe_conj(lu[k + k * n], conjugate)
        for k in range(n - 1, -1, -1):
            x = b[k]
            for i in range(k + 1, n):
                x = x - _maybe_conj(lu[i + k * n], conjugate) * b[i]
            b[k] = x
        for k in range(n - 1, -1, -1):
            if pivots[k] != k + 1:
                x = b[k]
                b[k] = b[pivots[k] - 1]
                b[pivots[k] - 1] = x
        b += n


cdef void _solve(Field* lu, Py_ssize_t lu_step, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs,
                 char trans, int* pivots, Py_ssize_t pivots_step, Field* b) noexcept nogil:
    cdef Py_ssize_t _k
    cdef int size = <int>n, columns = <int>nrhs, info, ld = <int>at_least_1(n)
    for _k in range(batch):
        if n <= SMALL:
            if trans == c"N":
                _small_solve(lu, n, nrhs, pivots, b)
            else:
                _small_solve_transposed(lu, n, nrhs, trans == c"C", pivots, b)
        elif Field is float:
            sgetrs(&trans, &size, &columns, lu, &ld, pivots, b, &ld, &info)
        elif Field is double:
            dgetrs(&trans, &size, &columns, lu, &ld, pivots, b, &ld, &info)
        elif Field is floatcomplex:
            cgetrs(&trans, &size, &columns, lu, &ld, pivots, b, &ld, &info)
        else:
            zgetrs(&trans, &size, &columns, lu, &ld, pivots, b, &ld, &info)
        lu += lu_step
        pivots += pivots_step
        b += n * nrhs


cdef bint are_pivots(Py_ssize_t batch, Py_ssize_t count, Py_ssize_t rows,
                     const int* pivots) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(batch * count):
        if pivots[k] < 1 or pivots[k] > rows:
            return False
    return True


cdef bint are_ldl_pivots(Py_ssize_t batch, Py_ssize_t n, const int* pivots) noexcept nogil:
    cdef Py_ssize_t _b, k
    for _b in range(batch):
        k = 0
        while k < n:
            if pivots[k] == 0 or pivots[k] > n or pivots[k] < -n:
                return False
            if pivots[k] < 0:            # the first row of a block of two
                if k + 1 == n or pivots[k + 1] >= 0 or pivots[k + 1] < -n:
                    return False
                k += 1
            k += 1
        pivots += n
    return True


cdef int lu_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, char trans,
                  const char* lu, Py_ssize_t lu_step, const int* pivots, Py_ssize_t pivots_step,
                  char* b) noexcept nogil:
    cdef int* p = <int*>pivots
    if not (fits(n) and fits(nrhs)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _solve(<float*>lu, lu_step, batch, n, nrhs, trans, p, pivots_step, <float*>b)
    elif dtype == Float64:
        _solve(<double*>lu, lu_step, batch, n, nrhs, trans, p, pivots_step, <double*>b)
    elif dtype == Complex64:
        _solve(<float complex*>lu, lu_step, batch, n, nrhs, trans, p, pivots_step,
               <float complex*>b)
    elif dtype == Complex128:
        _solve(<double complex*>lu, lu_step, batch, n, nrhs, trans, p, pivots_step,
               <double complex*>b)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


# ---- determinants

cdef void _determinant(const Field* lu, Py_ssize_t batch, Py_ssize_t n, const int* pivots,
                       Field* det) noexcept nogil:
    cdef Py_ssize_t b, k
    cdef Field product
    for b in range(batch):
        product = 1
        for k in range(n):
            product = product * lu[k + k * n]
            if pivots[k] != k + 1:
                product = -product
        det[b] = product
        lu += n * n
        pivots += n


cdef int lu_determinant(int dtype, Py_ssize_t batch, Py_ssize_t n, const char* lu,
                        const int* pivots, char* det) noexcept nogil:
    if dtype == Float32:
        _determinant(<const float*>lu, batch, n, pivots, <float*>det)
    elif dtype == Float64:
        _determinant(<const double*>lu, batch, n, pivots, <double*>det)
    elif dtype == Complex64:
        _determinant(<const float complex*>lu, batch, n, pivots, <float complex*>det)
    elif dtype == Complex128:
        _determinant(<const double complex*>lu, batch, n, pivots, <double complex*>det)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


cdef inline double _modulus(Field x) noexcept nogil:
    if Field is float or Field is double:
        return fabs(x)
    else:
        return hypot(x.real, x.imag)


cdef void _log_determinant(const Field* lu, Py_ssize_t batch, Py_ssize_t n, const int* pivots,
                           Field* sign, double* wide, float* narrow) noexcept nogil:
    cdef Py_ssize_t b, k
    cdef Field unit, x
    cdef double size, total
    for b in range(batch):
        unit = 1
        total = 0
        for k in range(n):
            x = lu[k + k * n]
            size = _modulus(x)
            total += log(size)
            if x == 0:
                unit = 0
            else:
                unit = unit * (x / <Field>size)
            if pivots[k] != k + 1:
                unit = -unit
        sign[b] = unit
        if wide != NULL:
            wide[b] = total
        else:
            narrow[b] = <float>total
        lu += n * n
        pivots += n


cdef int lu_log_determinant(int dtype, Py_ssize_t batch, Py_ssize_t n, const char* lu,
                            const int* pivots, char* sign, char* logabs) noexcept nogil:
    if dtype == Float32:
        _log_determinant(<const float*>lu, batch, n, pivots, <float*>sign, NULL, <float*>logabs)
    elif dtype == Float64:
        _log_determinant(<const double*>lu, batch, n, pivots, <double*>sign, <double*>logabs, NULL)
    elif dtype == Complex64:
        _log_determinant(<const float complex*>lu, batch, n, pivots, <float complex*>sign, NULL,
                         <float*>logabs)
    elif dtype == Complex128:
        _log_determinant(<const double complex*>lu, batch, n, pivots, <double complex*>sign,
                         <double*>logabs, NULL)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK


cdef void pivots_to_permutation(Py_ssize_t batch, Py_ssize_t count, Py_ssize_t m,
                                const int* pivots, long long* perm) noexcept nogil:
    cdef Py_ssize_t _b, k
    for _b in range(batch):
        for k in range(m):
            perm[k] = k
        for k in range(count):
            perm[k], perm[pivots[k] - 1] = perm[pivots[k] - 1], perm[k]
        pivots += count
        perm += m


# ---- LDL

cdef int _ldl(Field* a, Py_ssize_t batch, Py_ssize_t n, bint hermitian, int* pivots,
              int* infos) noexcept nogil:
    cdef char uplo = c"L"
    cdef int size = <int>n, ld = <int>at_least_1(n), query = -1, length, info = 0
    cdef Field answer = 0
    cdef Field* work
    cdef Py_ssize_t b
    if Field is float:
        ssytrf(&uplo, &size, a, &ld, pivots, &answer, &query, &info)
        length = work_length(answer, 1)
    elif Field is double:
        dsytrf(&uplo, &size, a, &ld, pivots, &answer, &query, &info)
        length = work_length(answer, 1)
    elif Field is floatcomplex:
        csytrf(&uplo, &size, a, &ld, pivots, &answer, &query, &info)
        length = work_length(answer.real, 1)
    else:
        zsytrf(&uplo, &size, a, &ld, pivots, &answer, &query, &info)
        length = work_length(answer.real, 1)
    if length == 0:
        return LAPACK_TOO_LARGE
    work = <Field*>malloc(scratch_bytes(length, sizeof(Field)))
    if work == NULL:
        return LAPACK_NO_MEMORY
    for b in range(batch):
        if Field is float:
            ssytrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
        elif Field is double:
            dsytrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
        elif Field is floatcomplex:
            if hermitian:
                chetrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
            else:
                csytrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
        else:
            if hermitian:
                zhetrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
            else:
                zsytrf(&uplo, &size, a, &ld, pivots, work, &length, &infos[b])
        a += n * n
        pivots += n
    free(work)
    return LAPACK_OK


cdef int ldl_factor(int dtype, Py_ssize_t batch, Py_ssize_t n, bint hermitian, char* a,
                    int* pivots, int* infos) noexcept nogil:
    if not fits(n):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        return _ldl(<float*>a, batch, n, hermitian, pivots, infos)
    if dtype == Float64:
        return _ldl(<double*>a, batch, n, hermitian, pivots, infos)
    if dtype == Complex64:
        return _ldl(<float complex*>a, batch, n, hermitian, pivots, infos)
    if dtype == Complex128:
        return _ldl(<double complex*>a, batch, n, hermitian, pivots, infos)
    return LAPACK_NO_DTYPE


cdef void _ldl_solve(Field* ld, Py_ssize_t ld_step, Py_ssize_t batch, Py_ssize_t n,
                     Py_ssize_t nrhs, bint hermitian, int* pivots, Py_ssize_t pivots_step,
                     Field* b) noexcept nogil:
    cdef char uplo = c"L"
    cdef int size = <int>n, columns = <int>nrhs, lead = <int>at_least_1(n), info
    cdef Py_ssize_t _k
    for _k in range(batch):
        if Field is float:
            ssytrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
        elif Field is double:
            dsytrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
        elif Field is floatcomplex:
            if hermitian:
                chetrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
            else:
                csytrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
        else:
            if hermitian:
                zhetrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
            else:
                zsytrs(&uplo, &size, &columns, ld, &lead, pivots, b, &lead, &info)
        ld += ld_step
        pivots += pivots_step
        b += n * nrhs


cdef int ldl_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, bint hermitian,
                   const char* ld, Py_ssize_t ld_step, const int* pivots, Py_ssize_t pivots_step,
                   char* b) noexcept nogil:
    cdef int* p = <int*>pivots
    if not (fits(n) and fits(nrhs)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        _ldl_solve(<float*>ld, ld_step, batch, n, nrhs, hermitian, p, pivots_step, <float*>b)
    elif dtype == Float64:
        _ldl_solve(<double*>ld, ld_step, batch, n, nrhs, hermitian, p, pivots_step, <double*>b)
    elif dtype == Complex64:
        _ldl_solve(<float complex*>ld, ld_step, batch, n, nrhs, hermitian, p, pivots_step,
                   <float complex*>b)
    elif dtype == Complex128:
        _ldl_solve(<double complex*>ld, ld_step, batch, n, nrhs, hermitian, p, pivots_step,
                   <double complex*>b)
    else:
        return LAPACK_NO_DTYPE
    return LAPACK_OK
