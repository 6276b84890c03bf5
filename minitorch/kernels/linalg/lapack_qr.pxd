# Householder factorizations and least squares. See lapack.pxd for the conventions.

# Replaces a by R and the reflectors below it; their factors go to tau (min(m, n) for each matrix)
cdef int qr_factor(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, char* a,
                   char* tau) noexcept nogil
# Replaces the first n columns of a (m, n), n <= m, by those of the product of its first k reflectors
cdef int reflectors_to_q(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
                         char* a, const char* tau) noexcept nogil
# Replaces c (m, n) by Q c (left) or c Q, or the same with Q.H; a has the k reflectors in its columns
cdef int multiply_by_q(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
                       bint left, bint adjoint, const char* a, Py_ssize_t a_step, const char* tau,
                       Py_ssize_t tau_step, char* c) noexcept nogil

cdef enum LeastSquares:
    GELS = 0                     # QR; info > 0 when the rank is not full
    GELSY = 1                    # QR with exchange of columns: gives the rank
    GELSD = 2                    # SVD, divide and conquer: rank and singular values
    GELSS = 3                    # SVD

# a (m, n) is destroyed; the first n rows of b (max(m, n), nrhs) receive the solutions. ranks and singular (min(m,
# n) in the real type for each matrix) are written only by the drivers that compute them.
cdef int least_squares(int dtype, int driver, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n,
                       Py_ssize_t nrhs, char* a, char* b, double rcond, long long* ranks,
                       char* singular, int* infos) noexcept nogil
