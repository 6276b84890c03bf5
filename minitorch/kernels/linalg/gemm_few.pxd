# Matrix products whose result has few rows, for float32 and float64.

from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.matrix cimport Matrix

# Whether `few_gemm` supports the product and is the fastest implementation
cdef bint few_rows(Real* tag, const Matrix* b, const Matrix* c) noexcept nogil

# c = alpha * a @ b + beta * c, like `tile_gemm`
cdef int few_gemm(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                  const Matrix* c) noexcept nogil
