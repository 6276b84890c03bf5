# Eigenvalues and singular values.

from minitorch.core.tensor_impl cimport TensorImpl

cdef tuple _linalg_eigh(TensorImpl A, str UPLO=*, bint compute_v=*)
cdef tuple linalg_eig(TensorImpl self)
cdef TensorImpl _linalg_eigvals(TensorImpl self)
cdef tuple _linalg_svd(TensorImpl A, bint full_matrices=*, bint compute_uv=*, object driver=*)
