# Linear systems, inverses and determinants, computed with LU.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple _linalg_solve_ex(TensorImpl A, TensorImpl B, bint left=*, bint check_errors=*)
cdef tuple linalg_inv_ex(TensorImpl A, bint check_errors=*)
cdef tuple _linalg_det(TensorImpl A)
cdef tuple _linalg_slogdet(TensorImpl A)
# Whether B in solve(A, B) holds vectors
cdef bint is_vector_rhs(TensorImpl A, TensorImpl B) noexcept
