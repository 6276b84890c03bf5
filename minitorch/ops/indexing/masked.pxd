# Elements selected by a mask, and the positions of nonzero elements. where is in ternary.pxd.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl masked_select(TensorImpl self, TensorImpl mask, TensorImpl out=*)
cdef TensorImpl masked_select_backward(TensorImpl grad, TensorImpl input, TensorImpl mask)
# out is `self` or None
cdef TensorImpl masked_scatter(TensorImpl self, TensorImpl mask, TensorImpl source,
                               TensorImpl out=*)
cdef TensorImpl masked_fill(TensorImpl self, TensorImpl mask, TensorImpl value, TensorImpl out=*)
cdef TensorImpl masked_scatter_backward(TensorImpl grad_output, TensorImpl mask, tuple sizes)
# One row for each nonzero element; stored column by column, as in PyTorch
cdef TensorImpl nonzero(TensorImpl self, TensorImpl out=*)
cdef tuple nonzero_numpy(TensorImpl self)           # one tensor for each dimension: as_tuple=True
cdef TensorImpl argwhere(TensorImpl self)
