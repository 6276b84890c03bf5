# Operators that join several tensors into one. The result has the dtype that all of them promote to.

from minitorch.core.tensor_impl cimport TensorImpl

# tensors: lists of TensorImpl
cdef TensorImpl cat(list tensors, Py_ssize_t dim=*, TensorImpl out=*)
cdef TensorImpl stack(list tensors, Py_ssize_t dim=*, TensorImpl out=*)
# at most two dimensions each
cdef TensorImpl block_diag(list tensors)
cdef TensorImpl hstack(list tensors, TensorImpl out=*)
cdef TensorImpl vstack(list tensors, TensorImpl out=*)
cdef TensorImpl dstack(list tensors, TensorImpl out=*)
cdef TensorImpl column_stack(list tensors, TensorImpl out=*)
# Views with at least that many dimensions; `self` if it has enough
cdef TensorImpl atleast_1d(TensorImpl self)
cdef TensorImpl atleast_2d(TensorImpl self)
cdef TensorImpl atleast_3d(TensorImpl self)
# The parts of the gradient of cat: one for each tensor, with the sizes in the list of tuples `sizes`
cdef list cat_tensors_backward(TensorImpl grad, list sizes, Py_ssize_t dim)
# Views that form a grid, one for each tensor of at most one dimension. indexing: "ij", "xy" or None
cdef list meshgrid(list tensors, object indexing=*)
