# Eigenvalues and singular values. See lapack.pxd for the conventions; values of Hermitian matrices
# and singular values are of the real type, the others complex.

# a becomes its eigenvectors if vectors are wanted, else it is destroyed; w (n) ascends
cdef int eigh(int dtype, Py_ssize_t batch, Py_ssize_t n, bint upper, bint vectors, char* a,
              char* w, int* infos) noexcept nogil
# a is destroyed; w (n) and v (n, n; NULL: not wanted) are complex
cdef int eig(int dtype, Py_ssize_t batch, Py_ssize_t n, char* a, char* w, char* v,
             int* infos) noexcept nogil
# a (m, n) is destroyed; s has min(m, n) = k values. u is (m, m) or (m, k), vh (n, n) or (k, n), as
# `full` says; both NULL: not wanted
cdef int svd(int dtype, Py_ssize_t batch, Py_ssize_t m, Py_ssize_t n, bint full, char* a, char* s,
             char* u, char* vh, int* infos) noexcept nogil
