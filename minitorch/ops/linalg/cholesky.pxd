# Cholesky factors and triangular systems.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple linalg_cholesky_ex(TensorImpl self, bint upper=*, bint check_errors=*)
cdef TensorImpl cholesky(TensorImpl self, bint upper=*, TensorImpl out=*)
cdef TensorImpl cholesky_solve(TensorImpl self, TensorImpl input2, bint upper=*,
                               TensorImpl out=*)
cdef TensorImpl cholesky_inverse(TensorImpl self, bint upper=*, TensorImpl out=*)
cdef TensorImpl linalg_solve_triangular(TensorImpl self, TensorImpl B, bint upper, bint left=*,
                                        bint unitriangular=*, TensorImpl out=*)
cdef tuple triangular_solve(TensorImpl self, TensorImpl A, bint upper=*, bint transpose=*,
                            bint unitriangular=*)
# Write a result to `out` if that is given, as all functions of this family do
cdef TensorImpl deliver(TensorImpl result, TensorImpl out)
