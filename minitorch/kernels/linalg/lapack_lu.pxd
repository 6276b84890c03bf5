# LU and LDL factorizations, and solutions with them. See lapack.pxd for the conventions. Pivots are LAPACK's:
# 1-based, each the row that was exchanged with the row of the pivot.

# Replaces a by its L and U; pivots has min(m, n) entries for each matrix
cdef int lu_factor(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, char* a, int* pivots,
                   int* infos) noexcept nogil
# Whether every pivot is a valid row; LAPACK would use any other number as an address
cdef bint are_pivots(Py_ssize_t batch, Py_ssize_t count, Py_ssize_t rows,
                     const int* pivots) noexcept nogil
# The same for LDL, where two adjacent negative pivots mean a block of two rows
cdef bint are_ldl_pivots(Py_ssize_t batch, Py_ssize_t n, const int* pivots) noexcept nogil
# Replaces b by the solution of op(LU) x = b; trans is 'N', 'T' or 'C'
cdef int lu_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, char trans,
                  const char* lu, Py_ssize_t lu_step, const int* pivots, Py_ssize_t pivots_step,
                  char* b) noexcept nogil
# The determinant of each square factorization
cdef int lu_determinant(int dtype, Py_ssize_t batch, Py_ssize_t n, const char* lu,
                        const int* pivots, char* det) noexcept nogil
# The sign of the determinant (a number of modulus 1, or 0) and, in the real type, the logarithm of its modulus
cdef int lu_log_determinant(int dtype, Py_ssize_t batch, Py_ssize_t n, const char* lu,
                            const int* pivots, char* sign, char* logabs) noexcept nogil
# The permutation given by valid pivots: row i of L U is row perm[i] of the matrix
cdef void pivots_to_permutation(Py_ssize_t batch, Py_ssize_t count, Py_ssize_t m,
                                const int* pivots, long long* perm) noexcept nogil
# Replaces a (n, n), of which only the lower triangle is read, by L and D
cdef int ldl_factor(int dtype, Py_ssize_t batch, Py_ssize_t n, bint hermitian, char* a,
                    int* pivots, int* infos) noexcept nogil
cdef int ldl_solve(int dtype, Py_ssize_t batch, Py_ssize_t n, Py_ssize_t nrhs, bint hermitian,
                   const char* ld, Py_ssize_t ld_step, const int* pivots, Py_ssize_t pivots_step,
                   char* b) noexcept nogil
