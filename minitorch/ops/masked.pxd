# Elements selected by a mask, and the positions of nonzero elements. masked_fill and where are in ternary.pxd.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl masked_select(TensorImpl self, TensorImpl mask, TensorImpl out=*)
cdef TensorImpl masked_select_backward(TensorImpl grad, TensorImpl input, TensorImpl mask)
# out is `self` or None
cdef TensorImpl masked_scatter(TensorImpl self, TensorImpl mask, TensorImpl source,
                               TensorImpl out=*)
# masked_fill_ of a tensor that contains elements more than once, which gives a warning
cdef TensorImpl masked_fill_expanded(TensorImpl self, TensorImpl mask, TensorImpl element)
cdef TensorImpl masked_scatter_backward(TensorImpl grad_output, TensorImpl mask, tuple sizes)
# One row for each nonzero element; stored column by column, as in PyTorch
cdef TensorImpl nonzero(TensorImpl self, TensorImpl out=*)
cdef tuple nonzero_numpy(TensorImpl self)           # one tensor for each dimension: as_tuple=True
cdef TensorImpl argwhere(TensorImpl self)
