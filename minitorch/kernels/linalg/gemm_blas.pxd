# The products of blas.pxd for the four types of BLAS; `tag` only selects the type.

from minitorch.kernels.common.types cimport Field
from minitorch.kernels.linalg.matrix cimport Matrix, Vector

# alpha and beta as in blas.pxd; returns a BlasStatus
cdef int blas_gemm(Field* tag, const void* alpha_p, const Matrix* a, const Matrix* b,
                   const void* beta_p, const Matrix* c) noexcept nogil
cdef int blas_gemv(Field* tag, const void* alpha_p, const Matrix* a, const Vector* x,
                   const void* beta_p, const Vector* y) noexcept nogil
cdef void blas_dot(Field* tag, const Vector* x, const Vector* y, Field* out) noexcept nogil
