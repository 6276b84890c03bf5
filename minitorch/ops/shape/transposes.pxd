# Views that permute the dimensions, under all of their names.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl transpose(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1)
cdef TensorImpl swapaxes(TensorImpl self, Py_ssize_t axis0, Py_ssize_t axis1)
cdef TensorImpl swapdims(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1)
cdef TensorImpl permute(TensorImpl self, tuple dims)
cdef TensorImpl t(TensorImpl self)
cdef TensorImpl mT(TensorImpl self)
cdef TensorImpl movedim(TensorImpl self, tuple source, tuple destination)
# The permutation that moves `source` to `destination`: movedim is permute(self, movedim_order(...))
cdef tuple movedim_order(int ndim, tuple source, tuple destination)
