# Errors of saved tensors, and how a saved tensor names its history.

from minitorch.autograd.node cimport Node
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    NO_EDGE = -1                       # `edge` of a tensor that is never differentiated (indices, masks)
    OUTPUT = -2                        # OUTPUT - n: output n of the node itself

# RuntimeError: the saved tensor was freed, or written to since it was saved
cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1
cdef int refuse_inference_tensor() except -1
