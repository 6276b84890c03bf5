"""Eigenvalues and singular values: syevd (heevd), geev and gesdd.

Each function first queries LAPACK for the scratch memory that it needs for a matrix of this size, and then uses
that memory for the whole batch.
"""

from libc.stdlib cimport free, malloc

from scipy.linalg.cython_lapack cimport (
    cgeev, cgesdd, cheevd, dgeev, dgesdd, dsyevd, sgeev, sgesdd, ssyevd, zgeev, zgesdd, zheevd,
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


# ---- Hermitian matrices

cdef int _eigh(Field* a, Py_ssize_t batch, Py_ssize_t n, bint upper, bint vectors, char* w,
               int* infos) noexcept nogil:
    cdef char job = c"V" if vectors else c"N"
    cdef char uplo = c"U" if upper else c"L"
    cdef int size = <int>n, ld = <int>at_least_1(n), length = -1, real_length = -1
    cdef int integer_length = -1, integer_answer = 0, info = 0, status = LAPACK_OK
    cdef Py_ssize_t b, real_size = 4 if Field is float or Field is floatcomplex else 8
    cdef Field answer = 0
    cdef double[2] real_answer
    cdef Field* work = &answer
    cdef void* real_work = real_answer
    cdef int* integers = &integer_answer
    for b in range(-1, batch):
        if Field is float:
            ssyevd(&job, &uplo, &size, a, &ld, <float*>w, work, &length, integers, &integer_length,
                   &info)
        elif Field is double:
            dsyevd(&job, &uplo, &size, a, &ld, <double*>w, work, &length, integers, &integer_length,
                   &info)
        elif Field is floatcomplex:
            cheevd(&job, &uplo, &size, a, &ld, <float*>w, work, &length, <float*>real_work,
                   &real_length, integers, &integer_length, &info)
        else:
            zheevd(&job, &uplo, &size, a, &ld, <double*>w, work, &length, <double*>real_work,
                   &real_length, integers, &integer_length, &info)
        if b >= 0:
            infos[b] = info
            a += n * n
            w += n * real_size
            continue
        length = work_length(_real(answer), 1)
        if real_size == 4:
            real_length = work_length((<float*>real_answer)[0], 1)
        else:
            real_length = work_length(real_answer[0], 1)
        integer_length = max(integer_answer, 1)
        if Field is float or Field is double:
            real_length = 1
        if length == 0 or real_length == 0:
            return LAPACK_TOO_LARGE
        work = <Field*>malloc(scratch_bytes(length, sizeof(Field)))
        real_work = malloc(scratch_bytes(real_length, real_size))
        integers = <int*>malloc(scratch_bytes(integer_length, sizeof(int)))
        if work == NULL or real_work == NULL or integers == NULL:
            status = LAPACK_NO_MEMORY
            break
    free(work)
    free(real_work)
    free(integers)
    return status


cdef int eigh(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, bint vectors, char* a,
              char* w, int* infos) noexcept nogil:
    # LAPACK counts the 2 n**2 elements of its scratch in an int
    if not fits(n) or 2.0 * n * n + 6.0 * n > 2e9:
        return LAPACK_TOO_LARGE
    if batch == 0 or n == 0:
        return LAPACK_OK
    if dtype == Float32:
        return _eigh(<float*>a, batch, n, upper, vectors, w, infos)
    if dtype == Float64:
        return _eigh(<double*>a, batch, n, upper, vectors, w, infos)
    if dtype == Complex64:
        return _eigh(<float complex*>a, batch, n, upper, vectors, w, infos)
    if dtype == Complex128:
        return _eigh(<double complex*>a, batch, n, upper, vectors, w, infos)
    return LAPACK_NO_DTYPE


# ---- any matrices

cdef void _pair_up(Py_ssize_t n, const Field* parts, const Field* packed, Field* w,
                   Field* v) noexcept nogil:
    """Combine wr and wi to complex values, and the vectors of conjugate pairs to complex vectors.

    LAPACK stores such a pair of vectors as real and imaginary part in two columns.
    """
    cdef Py_ssize_t i, j = 0
    cdef Field re, im
    if Field is float or Field is double:
        for i in range(n):
            w[2 * i] = parts[i]
            w[2 * i + 1] = parts[n + i]
        if v == NULL:
            return
        while j < n:
            if parts[n + j] == 0 or j + 1 == n:
                for i in range(n):
                    v[2 * (i + j * n)] = packed[i + j * n]
                    v[2 * (i + j * n) + 1] = 0
                j += 1
                continue
            for i in range(n):
                re = packed[i + j * n]
                im = packed[i + (j + 1) * n]
                v[2 * (i + j * n)] = re
                v[2 * (i + j * n) + 1] = im
                v[2 * (i + (j + 1) * n)] = re
                v[2 * (i + (j + 1) * n) + 1] = -im
            j += 2


cdef int _eig(Field* a, Py_ssize_t batch, Py_ssize_t n, Field* w, Field* v,
              int* infos) noexcept nogil:
    """Compute eigenvalues and vectors; for real types, w and v are complex too, two reals per element."""
    cdef char none = c"N"
    cdef char job = c"N" if v == NULL else c"V"
    cdef int size = <int>n, ld = <int>at_least_1(n), length = -1, one = 1, info = 0
    cdef int status = LAPACK_OK
    cdef int ldv = one if v == NULL else ld
    cdef Py_ssize_t b
    cdef Field answer = 0
    cdef Field* work = &answer
    cdef Field* parts
    cdef Field* packed = NULL
    # real types: wr and wi; complex types: 2 n reals of scratch
    parts = <Field*>malloc(scratch_bytes(2.0 * n, sizeof(Field)))
    if (Field is float or Field is double) and v != NULL:
        packed = <Field*>malloc(scratch_bytes(<double>n * n, sizeof(Field)))
    if parts == NULL or (packed == NULL and v != NULL and (Field is float or Field is double)):
        status = LAPACK_NO_MEMORY
        batch = -1
    for b in range(-1, batch):
        if Field is float:
            sgeev(&none, &job, &size, a, &ld, parts, parts + n, NULL, &one, packed, &ldv, work,
                  &length, &info)
        elif Field is double:
            dgeev(&none, &job, &size, a, &ld, parts, parts + n, NULL, &one, packed, &ldv, work,
                  &length, &info)
        elif Field is floatcomplex:
            cgeev(&none, &job, &size, a, &ld, w, NULL, &one, v, &ldv, work, &length, <float*>parts,
                  &info)
        else:
            zgeev(&none, &job, &size, a, &ld, w, NULL, &one, v, &ldv, work, &length, <double*>parts,
                  &info)
        if b >= 0:
            infos[b] = info
            if Field is float or Field is double:
                _pair_up(n, parts, packed, w, v)
                w += 2 * n
                v = v + 2 * n * n if v != NULL else NULL
            else:
                w += n
                v = v + n * n if v != NULL else NULL
            a += n * n
            continue
        length = work_length(_real(answer), 1)
        work = <Field*>malloc(scratch_bytes(length, sizeof(Field))) if length else NULL
        if work == NULL:
            status = LAPACK_TOO_LARGE if length == 0 else LAPACK_NO_MEMORY
            break
    if work != &answer:
        free(work)
    free(parts)
    free(packed)
    return status


cdef int eig(int dtype, Py_ssize_t batch, Py_ssize_t n, char* a, char* w, char* v,
             int* infos) noexcept nogil:
    if not fits(n) or <double>n * n > 1e17:
        return LAPACK_TOO_LARGE
    if batch == 0 or n == 0:
        return LAPACK_OK
    if dtype == Float32:
        return _eig(<float*>a, batch, n, <float*>w, <float*>v, infos)
    if dtype == Float64:
        return _eig(<double*>a, batch, n, <double*>w, <double*>v, infos)
    if dtype == Complex64:
        return _eig(<float complex*>a, batch, n, <float complex*>w, <float complex*>v, infos)
    if dtype == Complex128:
        return _eig(<double complex*>a, batch, n, <double complex*>w, <double complex*>v, infos)
    return LAPACK_NO_DTYPE


# ---- singular values

cdef int _svd(Field* a, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint full, char* s, Field* u,
              Field* vh, int* infos) noexcept nogil:
    cdef char job = c"N" if u == NULL else c"A" if full else c"S"
    cdef Py_ssize_t real_size = 4 if Field is float or Field is floatcomplex else 8
    cdef Py_ssize_t b, k = min(m, n)
    cdef Py_ssize_t u_size = m * (m if full else k), vh_size = n * (n if full else k)
    cdef int rows = <int>m, cols = <int>n, lda = <int>at_least_1(m), length = -1, info = 0
    cdef int ldu = lda, ldvh = <int>at_least_1(n if full else k), status = LAPACK_OK
    cdef double least = min(m, n), most = max(m, n), reals = 1
    cdef Field answer = 0
    cdef Field* work = &answer
    cdef void* real_work
    cdef int* integers
    if Field is floatcomplex or Field is doublecomplex:
        # as in LAPACK's manual, but with 7 in place of 5 for its older versions
        reals = 7 * least if u == NULL else max(5 * least * least + 7 * least,
                                                2 * most * least + 2 * least * least + least)
    integers = <int*>malloc(scratch_bytes(8 * least, sizeof(int)))
    real_work = malloc(scratch_bytes(reals, real_size)) if scratch_bytes(reals, real_size) else NULL
    if integers == NULL or real_work == NULL:
        status = LAPACK_NO_MEMORY
        batch = -1
    if u != NULL:
        infinities_to_nan(a, batch * m * n)
    for b in range(-1, batch):
        if Field is float:
            sgesdd(&job, &rows, &cols, a, &lda, <float*>s, u, &ldu, vh, &ldvh, work, &length,
                   integers, &info)
        elif Field is double:
            dgesdd(&job, &rows, &cols, a, &lda, <double*>s, u, &ldu, vh, &ldvh, work, &length,
                   integers, &info)
        elif Field is floatcomplex:
            cgesdd(&job, &rows, &cols, a, &lda, <float*>s, u, &ldu, vh, &ldvh, work, &length,
                   <float*>real_work, integers, &info)
        else:
            zgesdd(&job, &rows, &cols, a, &lda, <double*>s, u, &ldu, vh, &ldvh, work, &length,
                   <double*>real_work, integers, &info)
        if b >= 0:
            infos[b] = info
            a += m * n
            s += k * real_size
            if u != NULL:
                u += u_size
                vh += vh_size
            continue
        length = work_length(_real(answer) * (1 + 1e-7), 1)
        work = <Field*>malloc(scratch_bytes(length, sizeof(Field))) if length else NULL
        if work == NULL:
            status = LAPACK_TOO_LARGE if length == 0 else LAPACK_NO_MEMORY
            break
    if work != &answer:
        free(work)
    free(real_work)
    free(integers)
    return status


cdef int svd(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint full, char* a, char* s,
             char* u, char* vh, int* infos) noexcept nogil:
    cdef double least = min(m, n)
    # the length of the scratch must fit an int
    if not (fits(m) and fits(n)) or 4 * least * least + 7 * least > 2e9:
        return LAPACK_TOO_LARGE
    if batch == 0 or least == 0:
        return LAPACK_OK
    if dtype == Float32:
        return _svd(<float*>a, batch, m, n, full, s, <float*>u, <float*>vh, infos)
    if dtype == Float64:
        return _svd(<double*>a, batch, m, n, full, s, <double*>u, <double*>vh, infos)
    if dtype == Complex64:
        return _svd(<float complex*>a, batch, m, n, full, s, <float complex*>u, <float complex*>vh,
                    infos)
    if dtype == Complex128:
        return _svd(<double complex*>a, batch, m, n, full, s, <double complex*>u,
                    <double complex*>vh, infos)
    return LAPACK_NO_DTYPE
