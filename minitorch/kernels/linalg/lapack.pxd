# Common to all files lapack_*.pyx.
#
# The functions work on batches of column-major matrices without gaps: matrix i of m rows begins at a + i * m * n
# elements, and its column j is m * j further. A `step` is the distance from one matrix to the next in elements;
# with 0, all elements of the batch share one matrix. dtype is Float32, Float64, Complex64 or Complex128. `infos`
# receives LAPACK's info of each matrix, which the caller interprets. The functions return a LapackStatus; on
# failure nothing has been computed.

from libc.limits cimport INT_MAX
from libc.math cimport NAN, isinf

from minitorch.kernels.common.types cimport Field
from minitorch.kernels.linalg.blas_threads cimport enter_region, leave_region

cdef enum:
    ALONE_FROM = 13              # number of rows from which BLAS may use threads
    ALONE_TO = 512               # number of rows up to which one thread of BLAS is fastest

cdef enum LapackStatus:
    LAPACK_OK = 0
    LAPACK_TOO_LARGE = -1        # a size above 2**31 - 1, the range of LAPACK's integers
    LAPACK_NO_MEMORY = -2        # no scratch memory
    LAPACK_NO_DTYPE = -3         # not one of the four types

# Whether n fits LAPACK's integers
cdef inline bint fits(Py_ssize_t n) noexcept nogil:
    return n <= INT_MAX - 64

# The size of `count` items in bytes; 0 if it is not a valid size
cdef inline size_t scratch_bytes(double count, Py_ssize_t itemsize) noexcept nogil:
    if count < 0 or count * itemsize > 9e18:
        return 0
    return <size_t>count * itemsize + 16

# The length of a work array, which a query stores in its first element; 0 if it does not fit an int
cdef inline int work_length(double answer, int least) noexcept nogil:
    if not answer <= INT_MAX - 64:
        return 0
    return max(<int>answer, least)

# LAPACK detects nan at once, but infinities can keep its search for singular values from terminating
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

# Call these around a call of LAPACK for `batch` matrices of `size` rows or columns. BLAS splits even small
# products over its threads, and waiting for them takes far longer than the work, especially on a busy machine.
cdef inline bint enter_alone(Py_ssize_t batch, Py_ssize_t size) noexcept nogil:
    if size < ALONE_FROM or (batch == 1 and size > ALONE_TO):
        return False
    return enter_region()

cdef inline void leave_alone(bint entered) noexcept nogil:
    if entered:
        leave_region()
