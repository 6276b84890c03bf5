# Householder factorizations.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple linalg_qr(TensorImpl A, str mode=*)
cdef tuple geqrf(TensorImpl self)
cdef TensorImpl linalg_householder_product(TensorImpl input, TensorImpl tau)
cdef TensorImpl ormqr(TensorImpl self, TensorImpl input2, TensorImpl input3, bint left=*,
                      bint transpose=*)
