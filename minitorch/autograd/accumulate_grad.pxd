# `AccumulateGrad`, the node of a leaf: it adds the gradients that arrive to the leaf's `.grad`.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef class AccumulateGrad(Node):
    cdef readonly TensorBase variable       # the leaf, which refers back to this node weakly
    cdef list aliases                       # weak references to the aliases that `leaf_like` has made

    cdef TensorBase leaf_like(self, TensorImpl impl)

cdef int accumulate(TensorBase variable, object gradient, bint recording) except -1
cdef Node new_accumulate_grad(TensorBase leaf)

# Whether a gradient has the layout that the `.grad` of a leaf has, and may become it
cdef bint has_layout_for(TensorImpl gradient, TensorImpl variable) noexcept
cdef TensorImpl empty_for(TensorImpl variable, TensorImpl gradient)      # new memory for a `.grad` in that layout
