# Functions of matrices that are made of other operators, with derivatives of their own.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl linalg_pinv(TensorImpl self, TensorImpl atol=*, TensorImpl rtol=*,
                            bint hermitian=*)
cdef TensorImpl linalg_matrix_exp(TensorImpl self)
cdef TensorImpl linalg_cross(TensorImpl self, TensorImpl other, Py_ssize_t dim=*,
                             TensorImpl out=*)
# Singular values above the larger of atol and rtol times the largest of them count; None: the
# default, which is an rtol of the precision times the larger size, unless atol is given
cdef TensorImpl tolerance(TensorImpl A, TensorImpl values, TensorImpl atol, TensorImpl rtol)
