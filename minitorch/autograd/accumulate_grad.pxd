# The sink: adds what arrives to a leaf's `.grad`.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef class AccumulateGrad(Node):
    cdef readonly TensorBase variable       # the leaf; it refers back here weakly
    cdef list aliases                       # weak references to others whose gradient comes here

    cdef TensorBase leaf_like(self, TensorImpl impl)

cdef int accumulate(TensorBase variable, object gradient, bint recording) except -1
cdef Node new_accumulate_grad(TensorBase leaf)
