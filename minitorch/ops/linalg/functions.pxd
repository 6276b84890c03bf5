# Functions of matrices that are composed of other operators but have derivatives of their own.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl linalg_pinv(TensorImpl self, TensorImpl atol=*, TensorImpl rtol=*,
                            bint hermitian=*)
cdef TensorImpl linalg_matrix_exp(TensorImpl self)
cdef TensorImpl linalg_cross(TensorImpl self, TensorImpl other, Py_ssize_t dim=*,
                             TensorImpl out=*)
# Singular values count if they exceed both atol and rtol times the largest one. None means the default: an rtol
# of the precision times the larger size, unless atol is given
cdef TensorImpl tolerance(TensorImpl A, TensorImpl values, TensorImpl atol, TensorImpl rtol)
