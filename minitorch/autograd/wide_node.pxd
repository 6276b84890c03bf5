# The base of nodes that save more than three tensors, or more than three other values.

from minitorch.autograd.node cimport Node
from minitorch.core.tensor_impl cimport TensorImpl


cdef class WideNode(Node):
    cdef TensorImpl saved3
    cdef TensorImpl saved4
    cdef TensorImpl saved5
    cdef TensorImpl saved6
    cdef unsigned int version3
    cdef unsigned int version4
    cdef unsigned int version5
    cdef unsigned int version6
    cdef object arg3
    cdef object arg4
    cdef object arg5
    cdef object arg6
