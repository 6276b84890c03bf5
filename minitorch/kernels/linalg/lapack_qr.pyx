"""Householder factorizations and least squares.

The LAPACK routines are geqrf, orgqr (ungqr), ormqr (unmqr), and gels, gelsy, gelsd and gelss.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from scipy.linalg.cython_lapack cimport (
    cgels, cgelsd, cgelss, cgelsy, cgeqrf, cungqr, cunmqr, dgels, dgelsd, dgelss, dgelsy,
    dgeqrf, dorgqr, dormqr, sgels, sgelsd, sgelss, sgelsy, sgeqrf, sorgqr, sormqr, zgels, zgelsd,
    zgelss, zgelsy, zgeqrf, zungqr, zunmqr,
)

from minitorch.core.dtype cimport Complex64, Complex128, Float32, Float64
from minitorch.kernels.common.types cimport Field
from minitorch.kernels.linalg.lapack cimport (
    LAPACK_NO_DTYPE, LAPACK_NO_MEMORY, LAPACK_OK, LAPACK_TOO_LARGE, at_least_1, fits,
    infinities_to_nan, scratch_bytes, work_length)


cdef inline double _real(Field x) noexcept nogil:
    if Field is float or Field is double:
        return x
    else:
        return x.real


# ---- factors

cdef int _factor(Field* a, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Field* tau) noexcept nogil:
    cdef int rows = <int>m, cols = <int>n, ld = <int>at_least_1(m), length = -1, info
    cdef Field answer = 0
    cdef Field* work = &answer
    cdef Py_ssize_t b
    if batch == 0 or m == 0 or n == 0:
        return LAPACK_OK
    for b in range(-1, batch):                  # the first call queries the length of the scratch
        if Field is float:
            sgeqrf(&rows, &cols, a, &ld, tau, work, &length, &info)
        elif Field is double:
            dgeqrf(&rows, &cols, a, &ld, tau, work, &length, &info)
        elif Field is floatcomplex:
            cgeqrf(&rows, &cols, a, &ld, tau, work, &length, &info)
        else:
            zgeqrf(&rows, &cols, a, &ld, tau, work, &length, &info)
        if b < 0:
            length = work_length(_real(answer), cols)
            if length == 0:
                return LAPACK_TOO_LARGE
            work = <Field*>malloc(scratch_bytes(length, sizeof(Field)))
            if work == NULL:
                return LAPACK_NO_MEMORY
            continue
        a += m * n
        tau += min(m, n)
    free(work)
    return LAPACK_OK


cdef int qr_factor(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, char* a,
                   char* tau) noexcept nogil:
    if not (fits(m) and fits(n)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        return _factor(<float*>a, batch, m, n, <float*>tau)
    if dtype == Float64:
        return _factor(<double*>a, batch, m, n, <double*>tau)
    if dtype == Complex64:
        return _factor(<float complex*>a, batch, m, n, <float complex*>tau)
    if dtype == Complex128:
        return _factor(<double complex*>a, batch, m, n, <double complex*>tau)
    return LAPACK_NO_DTYPE


cdef int _to_q(Field* a, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
               Field* tau) noexcept nogil:
    cdef int rows = <int>m, cols = <int>n, count = <int>k, ld = <int>at_least_1(m), length = -1
    cdef int info
    cdef Field answer = 0
    cdef Field* work = &answer
    cdef Py_ssize_t b
    if batch == 0 or m == 0 or n == 0:
        return LAPACK_OK
    for b in range(-1, batch):
        if Field is float:
            sorgqr(&rows, &cols, &count, a, &ld, tau, work, &length, &info)
        elif Field is double:
            dorgqr(&rows, &cols, &count, a, &ld, tau, work, &length, &info)
        elif Field is floatcomplex:
            cungqr(&rows, &cols, &count, a, &ld, tau, work, &length, &info)
        else:
            zungqr(&rows, &cols, &count, a, &ld, tau, work, &length, &info)
        if b < 0:
            length = work_length(_real(answer), cols)
            if length == 0:
                return LAPACK_TOO_LARGE
            work = <Field*>malloc(scratch_bytes(length, sizeof(Field)))
            if work == NULL:
                return LAPACK_NO_MEMORY
            continue
        a += m * n
        tau += k
    free(work)
    return LAPACK_OK


cdef int reflectors_to_q(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
                         char* a, const char* tau) noexcept nogil:
    if not (fits(m) and fits(n)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        return _to_q(<float*>a, batch, m, n, k, <float*>tau)
    if dtype == Float64:
        return _to_q(<double*>a, batch, m, n, k, <double*>tau)
    if dtype == Complex64:
        return _to_q(<float complex*>a, batch, m, n, k, <float complex*>tau)
    if dtype == Complex128:
        return _to_q(<double complex*>a, batch, m, n, k, <double complex*>tau)
    return LAPACK_NO_DTYPE


cdef int _multiply(Field* a, Py_ssize_t a_step, Field* tau, Py_ssize_t tau_step, Py_ssize_t batch,
                   Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, bint left, bint adjoint,
                   Field* c) noexcept nogil:
    cdef char side = c"L" if left else c"R"
    cdef char trans = c"N"
    cdef int rows = <int>m, cols = <int>n, count = <int>k, ldc = <int>at_least_1(m), length = -1
    cdef int lda = ldc if left else <int>at_least_1(n), info
    cdef Field answer = 0
    cdef Field* work = &answer
    cdef Py_ssize_t b
    if batch == 0 or m == 0 or n == 0:
        return LAPACK_OK
    if adjoint:
        trans = c"T" if Field is float or Field is double else c"C"
    for b in range(-1, batch):
        if Field is float:
            sormqr(&side, &trans, &rows, &cols, &count, a, &lda, tau, c, &ldc, work, &length, &info)
        elif Field is double:
            dormqr(&side, &trans, &rows, &cols, &count, a, &lda, tau, c, &ldc, work, &length, &info)
        elif Field is floatcomplex:
            cunmqr(&side, &trans, &rows, &cols, &count, a, &lda, tau, c, &ldc, work, &length, &info)
        else:
            zunmqr(&side, &trans, &rows, &cols, &count, a, &lda, tau, c, &ldc, work, &length, &info)
        if b < 0:
            length = work_length(_real(answer), max(rows, cols))
            if length == 0:
                return LAPACK_TOO_LARGE
            work = <Field*>malloc(scratch_bytes(length, sizeof(Field)))
            if work == NULL:
                return LAPACK_NO_MEMORY
            continue
        a += a_step
        tau += tau_step
        c += m * n
    free(work)
    return LAPACK_OK


cdef int multiply_by_q(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
                       bint left, bint adjoint, const char* a, Py_ssize_t a_step, const char* tau,
                       Py_ssize_t tau_step, char* c) noexcept nogil:
    if not (fits(m) and fits(n) and fits(k)):
        return LAPACK_TOO_LARGE
    if dtype == Float32:
        return _multiply(<float*>a, a_step, <float*>tau, tau_step, batch, m, n, k, left, adjoint,
                         <float*>c)
    if dtype == Float64:
        return _multiply(<double*>a, a_step, <double*>tau, tau_step, batch, m, n, k, left, adjoint,
                         <double*>c)
    if dtype == Complex64:
        return _multiply(<float complex*>a, a_step, <float complex*>tau, tau_step, batch, m, n, k,
                         left, adjoint, <float complex*>c)
    if dtype == Complex128:
        return _multiply(<double complex*>a, a_step, <double complex*>tau, tau_step, batch, m, n, k,
                         left, adjoint, <double complex*>c)
    return LAPACK_NO_DTYPE


# ---- least squares

cdef struct Scratch:
    void* work
    int length
    void* real                   # complex types only
    int* integers                # gelsy: the exchanges; gelsd: its scratch


cdef int _drive(int driver, Field* a, Field* b, int m, int n, int nrhs, double rcond,
                Scratch* scratch, void* singular, int* rank, double* real_length,
                int* integer_length) noexcept nogil:
    """Call the driver once and return info; with scratch.length = -1, query the size of the scratch."""
    cdef char trans = c"N"
    cdef int lda = max(m, 1), ldb = max(m, n, 1), info = 0
    cdef float rcond_s = <float>rcond, real_s = 0
    cdef double rcond_d = rcond, real_d = 0
    cdef Field* work = <Field*>scratch.work
    cdef int* integers = scratch.integers
    if driver == GELS:
        if Field is float:
            sgels(&trans, &m, &n, &nrhs, a, &lda, b, &ldb, work, &scratch.length, &info)
        elif Field is double:
            dgels(&trans, &m, &n, &nrhs, a, &lda, b, &ldb, work, &scratch.length, &info)
        elif Field is floatcomplex:
            cgels(&trans, &m, &n, &nrhs, a, &lda, b, &ldb, work, &scratch.length, &info)
        else:
            zgels(&trans, &m, &n, &nrhs, a, &lda, b, &ldb, work, &scratch.length, &info)
    elif driver == GELSY:
        if Field is float:
            sgelsy(&m, &n, &nrhs, a, &lda, b, &ldb, integers, &rcond_s, rank, work, &scratch.length,
                   &info)
        elif Field is double:
            dgelsy(&m, &n, &nrhs, a, &lda, b, &ldb, integers, &rcond_d, rank, work, &scratch.length,
                   &info)
        elif Field is floatcomplex:
            cgelsy(&m, &n, &nrhs, a, &lda, b, &ldb, integers, &rcond_s, rank, work, &scratch.length,
                   <float*>scratch.real, &info)
        else:
            zgelsy(&m, &n, &nrhs, a, &lda, b, &ldb, integers, &rcond_d, rank, work, &scratch.length,
                   <double*>scratch.real, &info)
    elif driver == GELSD:
        if scratch.length == -1:
            scratch.real = &real_d
            if Field is floatcomplex:
                scratch.real = &real_s
            integers = integer_length
        if Field is float:
            sgelsd(&m, &n, &nrhs, a, &lda, b, &ldb, <float*>singular, &rcond_s, rank, work,
                   &scratch.length, integers, &info)
        elif Field is double:
            dgelsd(&m, &n, &nrhs, a, &lda, b, &ldb, <double*>singular, &rcond_d, rank, work,
                   &scratch.length, integers, &info)
        elif Field is floatcomplex:
            cgelsd(&m, &n, &nrhs, a, &lda, b, &ldb, <float*>singular, &rcond_s, rank, work,
                   &scratch.length, <float*>scratch.real, integers, &info)
        else:
            zgelsd(&m, &n, &nrhs, a, &lda, b, &ldb, <double*>singular, &rcond_d, rank, work,
                   &scratch.length, <double*>scratch.real, integers, &info)
        if scratch.length == -1:
            real_length[0] = real_s if Field is floatcomplex else real_d
            scratch.real = NULL
    else:
        if Field is float:
            sgelss(&m, &n, &nrhs, a, &lda, b, &ldb, <float*>singular, &rcond_s, rank, work,
                   &scratch.length, &info)
        elif Field is double:
            dgelss(&m, &n, &nrhs, a, &lda, b, &ldb, <double*>singular, &rcond_d, rank, work,
                   &scratch.length, &info)
        elif Field is floatcomplex:
            cgelss(&m, &n, &nrhs, a, &lda, b, &ldb, <float*>singular, &rcond_s, rank, work,
                   &scratch.length, <float*>scratch.real, &info)
        else:
            zgelss(&m, &n, &nrhs, a, &lda, b, &ldb, <double*>singular, &rcond_d, rank, work,
                   &scratch.length, <double*>scratch.real, &info)
    return info


cdef int _least_squares(Field* a, Field* b, int driver, Py_ssize_t batch, Py_ssize_t m,
                        Py_ssize_t n, Py_ssize_t nrhs, double rcond, long long* ranks,
                        void* singular, int* infos) noexcept nogil:
    cdef Scratch scratch
    cdef Field answer = 0
    cdef double real_length = 0
    cdef int integer_length = 0, rank = 0, status = LAPACK_OK
    cdef Py_ssize_t k, count = min(m, n)
    cdef Py_ssize_t real_size = 4 if Field is float or Field is floatcomplex else 8
    cdef char* values = <char*>singular
    memset(&scratch, 0, sizeof(Scratch))
    scratch.work = &answer
    scratch.length = -1
    _drive(driver, a, b, <int>m, <int>n, <int>nrhs, rcond, &scratch, singular, &rank,
           &real_length, &integer_length)
    scratch.length = work_length(_real(answer), <int>min(m, n) + <int>max(m, n, nrhs, 1))
    if scratch.length == 0:
        return LAPACK_TOO_LARGE
    real_length = max(real_length, 5.0 * max(m, n) + 1)
    scratch.work = malloc(scratch_bytes(scratch.length, sizeof(Field)))
    scratch.real = malloc(scratch_bytes(real_length, real_size))
    scratch.integers = <int*>malloc(scratch_bytes(max(<Py_ssize_t>integer_length, n, 1),
                                                  sizeof(int)))
    if scratch.work == NULL or scratch.real == NULL or scratch.integers == NULL:
        status = LAPACK_NO_MEMORY
    else:
        if driver == GELSD or driver == GELSS:
            infinities_to_nan(a, batch * m * n)
            infinities_to_nan(b, batch * max(m, n) * nrhs)
        for k in range(batch):
            if driver == GELSY:
                memset(scratch.integers, 0, n * sizeof(int))     # allows the exchange of every column
            rank = 0
            infos[k] = _drive(driver, a, b, <int>m, <int>n, <int>nrhs, rcond, &scratch, values,
                              &rank, &real_length, &integer_length)
            if driver != GELS:
                ranks[k] = rank
            a += m * n
            b += max(m, n) * nrhs
            values += count * real_size
    free(scratch.work)
    free(scratch.real)
    free(scratch.integers)
    return status


cdef int least_squares(int dtype, int driver, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n,
                       Py_ssize_t nrhs, char* a, char* b, double rcond, long long* ranks,
                       char* singular, int* infos) noexcept nogil:
    if not (fits(m) and fits(n) and fits(nrhs) and fits(m + n + nrhs)):
        return LAPACK_TOO_LARGE
    if batch == 0:
        return LAPACK_OK
    if dtype == Float32:
        return _least_squares(<float*>a, <float*>b, driver, batch, m, n, nrhs, rcond, ranks,
                              singular, infos)
    if dtype == Float64:
        return _least_squares(<double*>a, <double*>b, driver, batch, m, n, nrhs, rcond, ranks,
                              singular, infos)
    if dtype == Complex64:
        return _least_squares(<float complex*>a, <float complex*>b, driver, batch, m, n, nrhs,
                              rcond, ranks, singular, infos)
    if dtype == Complex128:
        return _least_squares(<double complex*>a, <double complex*>b, driver, batch, m, n, nrhs,
                              rcond, ranks, singular, infos)
    return LAPACK_NO_DTYPE
