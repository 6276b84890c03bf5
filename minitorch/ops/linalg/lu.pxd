# LU and LDL factorizations, their parts, and the solution of systems with them.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple linalg_lu_factor_ex(TensorImpl A, bint pivot=*, bint check_errors=*)
cdef tuple linalg_lu(TensorImpl A, bint pivot=*)
cdef TensorImpl linalg_lu_solve(TensorImpl LU, TensorImpl pivots, TensorImpl B, bint left=*,
                                bint adjoint=*)
cdef tuple lu_unpack(TensorImpl LU_data, TensorImpl LU_pivots, bint unpack_data=*,
                     bint unpack_pivots=*)
cdef tuple linalg_ldl_factor_ex(TensorImpl self, bint hermitian=*, bint check_errors=*)
cdef TensorImpl linalg_ldl_solve(TensorImpl LD, TensorImpl pivots, TensorImpl B, bint hermitian=*)

# Factor new column-major matrices in place and return (pivots, infos)
cdef tuple factor_in_place(TensorImpl LU)
# The solution of op(LU) X = B (left) or X op(LU) = B; op is the identity, or .mH with `adjoint`
cdef TensorImpl solve_factored(TensorImpl LU, TensorImpl pivots, TensorImpl B, tuple batch,
                               bint left, bint adjoint)
