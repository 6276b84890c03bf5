# Maxima and minima. `dim` is None or a tuple of ints, None and () meaning all dimensions.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl amax(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl amin(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl max(TensorImpl self, TensorImpl out=*)                 # of all elements
cdef TensorImpl min(TensorImpl self, TensorImpl out=*)
# (values, indices); of equal elements the first one counts
cdef tuple max_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=*, TensorImpl values=*,
                   TensorImpl indices=*)
cdef tuple min_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=*, TensorImpl values=*,
                   TensorImpl indices=*)
# dim is an int, or None for a position among all elements in row-major order
cdef TensorImpl argmax(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
cdef TensorImpl argmin(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl out=*)
# (min, max); dim: an int or None
cdef tuple aminmax(TensorImpl self, object dim=*, bint keepdim=*, TensorImpl min=*,
                   TensorImpl max=*)
