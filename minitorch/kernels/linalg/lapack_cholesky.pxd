# Cholesky factors and triangular systems. See lapack.pxd for the conventions.

# Replaces the lower (upper) triangle of a by its factor, and the other triangle by zeros
cdef int cholesky(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, char* a,
                  int* infos) noexcept nogil
# Replaces b by the solution of (L L.H) x = b
cdef int cholesky_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, bint upper,
                        const char* factor, Py_ssize_t factor_step, char* b) noexcept nogil
# Replaces both triangles of a, a factor, by the inverse of L L.H
cdef int cholesky_inverse(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, char* a,
                          int* infos) noexcept nogil
# Replaces b (m, n) by x in op(A) x = b or, if not left, x op(A) = b; trans is 'N', 'T' or 'C'
cdef int solve_triangular(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint left,
                          bint upper, char trans, bint unit, const char* a, Py_ssize_t a_step,
                          char* b) noexcept nogil
