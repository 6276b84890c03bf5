# Saved tensors: for each, a node stores the impl and the version it had. It stores no history: that of an input
# is the node's own edge, and that of an output is the node itself. So no reference cycle can arise.

from minitorch.autograd.node cimport Node
from minitorch.autograd.saved_errors cimport NO_EDGE, OUTPUT, refuse_inference_tensor
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef class PackedTensor:               # replaces a saved tensor that a pack hook was called with
    cdef object value                  # the result of the pack hook
    cdef object unpack_hook
    cdef TensorImpl original           # forward mode: the impl that was packed, to look up its tangent

    cdef TensorImpl unpack(self)       # TypeError if the unpack hook returns something else than a Tensor


# What replaces the tensor of a slot, or None; a packed slot has its index in place of the version
cdef PackedTensor packed_in(Node node, TensorImpl saved, unsigned int place)

# RuntimeError if the saved tensor was freed, or written to since it was saved
cdef TensorImpl unpack_unusual(Node node, TensorImpl saved, unsigned int saved_version, int edge)

cdef inline TensorImpl unpack(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    """Return the saved impl, for a backward on TensorImpls."""
    if (node.released or node.packed is not None
            or (saved is not None and saved.version_counter[0] != saved_version)):
        return unpack_unusual(node, saved, saved_version, edge)
    return saved

# detach_(): give `t` another impl than the one that nodes have saved. See Note [Detached in place]
cdef int leave_to_nodes(TensorBase t) except -1
# The saved impl, or an alias with a usable version counter if `leave_to_nodes` has replaced its own
cdef TensorImpl with_version(TensorImpl saved)

cdef inline unsigned int version_to_save(TensorImpl saved) except? 0xffffffff:
    if saved.inference:
        refuse_inference_tensor()
    return saved.version_counter[0]

# The saved tensor with its history, for create_graph and for the `_saved_*` attributes; None if nothing was saved
cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge)
# Give an unpacked tensor its tangent back; `original` is the impl that was saved, which a hook may have replaced
cdef int restore_tangents(Node node, TensorBase saved, TensorImpl original) except -1
cdef TensorBase tensor_of(TensorImpl saved)            # the tensor that it leads back to, else a new one
cdef TensorBase with_history(Node node, TensorImpl saved, int edge)
