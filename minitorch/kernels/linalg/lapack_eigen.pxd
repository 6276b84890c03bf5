# Eigenvalues and singular values. See lapack.pxd for the conventions. Eigenvalues of Hermitian matrices and
# singular values have the real type, other eigenvalues are complex.

# If `vectors`, a is replaced by its eigenvectors, else it is destroyed; w (n) is ascending
cdef int eigh(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, bint vectors, char* a,
              char* w, int* infos) noexcept nogil
# a is destroyed; w (n) and v (n, n; NULL: not computed) are complex
cdef int eig(int dtype, Py_ssize_t batch, Py_ssize_t n, char* a, char* w, char* v,
             int* infos) noexcept nogil
# a (m, n) is destroyed; s has min(m, n) = k values. u is (m, m) or (m, k) and vh (n, n) or (k, n), depending on
# `full`; if both are NULL they are not computed
cdef int svd(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint full, char* a, char* s,
             char* u, char* vh, int* infos) noexcept nogil
