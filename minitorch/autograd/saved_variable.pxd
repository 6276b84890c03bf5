# What a node keeps of a tensor: the impl and its version; the graph it belongs to is the node's own
# edge (an input) or the node itself (an output), so no link is stored and no cycle can arise.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    NO_EDGE = -1                       # `edge` of something that is never differentiated (indices, masks)
    OUTPUT = -2                        # minus the output's number: an output of the node itself

# RuntimeError: the backward has passed already, or the tensor was written to since
cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1

cdef inline TensorImpl unpack(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    """The saved data, for an ordinary backward."""
    if node.released or (saved is not None and saved.version_counter[0] != saved_version):
        raise_unusable(node, saved, saved_version, edge)
    return saved

# The saved tensor with its history, for create_graph and for the `_saved_*` attributes; None if none was saved
cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge)
