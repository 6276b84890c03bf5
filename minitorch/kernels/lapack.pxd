# What all files lapack_*.pyx share.
#
# Their functions work on batches of column-major matrices without gaps: matrix i of m rows starts
# at a + i * m * n elements, column j of it m * j further. A `step` is the distance of one matrix to
# the next in elements; 0 gives every member of the batch the same one. dtype is Float32, Float64,
# Complex64 or Complex128. `infos` has LAPACK's info of each matrix, whose meaning is the caller's
# business. They return a LapackStatus; on failure nothing has been computed.

from libc.limits cimport INT_MAX
from libc.math cimport NAN, isinf

from minitorch.kernels.blas_threads cimport enter_region, leave_region

cdef enum:
    ALONE_FROM = 13              # rows from which BLAS may think of threads
    ALONE_TO = 512               # rows up to which one thread of BLAS is best

cdef enum LapackStatus:
    LAPACK_OK = 0
    LAPACK_TOO_LARGE = -1        # a size above 2**31 - 1, the range of LAPACK's integers
    LAPACK_NO_MEMORY = -2        # no scratch memory
    LAPACK_NO_DTYPE = -3         # not one of the four types

ctypedef fused Field:
    float
    double
    float complex
    double complex

# Whether LAPACK can count this far
cdef inline bint fits(Py_ssize_t n) noexcept nogil:
    return n <= INT_MAX - 64

# Bytes for `count` items; 0 when that is no size at all
cdef inline size_t scratch_bytes(double count, Py_ssize_t itemsize) noexcept nogil:
    if count < 0 or count * itemsize > 9e18:
        return 0
    return <size_t>count * itemsize + 16

# The length of a work array that a query has put into its first element; 0 when it does not fit
cdef inline int work_length(double answer, int least) noexcept nogil:
    if not answer <= INT_MAX - 64:
        return 0
    return max(<int>answer, least)

# LAPACK notices nan at once, while infinities can keep its search for singular values from ending
cdef inline void infinities_to_nan(Field* a, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if Field is float or Field is double:
            if isinf(a[i]):
                a[i] = NAN
        elif isinf(a[i].real) or isinf(a[i].imag):
            a[i].real = NAN

cdef inline Py_ssize_t at_least_1(Py_ssize_t n) noexcept nogil:
    return n if n > 1 else 1

# Around a call for `batch` matrices of `size` rows or columns: BLAS shares even small products
# among its threads, and waiting for them costs far more than the work, more so on a busy machine.
cdef inline bint enter_alone(Py_ssize_t batch, Py_ssize_t size) noexcept nogil:
    if size < ALONE_FROM or (batch == 1 and size > ALONE_TO):
        return False
    return enter_region()

cdef inline void leave_alone(bint entered) noexcept nogil:
    if entered:
        leave_region()
