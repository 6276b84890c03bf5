# What a node keeps of a tensor: the impl and its version; the graph it belongs to is the node's own
# edge (an input) or the node itself (an output), so no link is stored and no cycle can arise.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    NO_EDGE = -1                       # `edge` of something that is never differentiated (indices, masks)
    OUTPUT = -2                        # minus the output's number: an output of the node itself
    IN_LIST = -1000                    # of the tables: minus n, what is saved is the list in `arg<n>`


cdef class PackedTensor:               # what a pack hook made of a saved tensor
    cdef object value
    cdef object unpack_hook
    cdef TensorImpl original           # forward mode: what was packed, by which its tangent is found

    cdef TensorImpl unpack(self)       # TypeError: the hook gave no Tensor


cdef class SavedTensor:                # `node._raw_saved_self`
    cdef Node node                     # None: made by SavedTensor.__new__, and of no use
    cdef int slot                      # of a list: the place in it
    cdef int edge

    cdef int check_node(self) except -1
    cdef PackedTensor packed(self)     # None: no hook has had it


# RuntimeError: the backward has passed already, or the tensor was written to since
cdef TensorImpl unpack_unusual(Node node, TensorImpl saved, unsigned int saved_version, int edge)
cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1

cdef inline TensorImpl unpack(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    """The saved data, for an ordinary backward."""
    if (node.released or node.packed is not None
            or (saved is not None and saved.version_counter[0] != saved_version)):
        return unpack_unusual(node, saved, saved_version, edge)
    return saved

cdef int refuse_inference_tensor() except -1

# detach_(): from now on `t` has another impl than the nodes that have saved it
cdef int leave_to_nodes(TensorBase t) except -1
# A saved impl with its version; where it was left to the nodes it has that of no tensor
cdef TensorImpl with_version(TensorImpl saved)

cdef inline unsigned int version_to_save(TensorImpl saved) except? 0xffffffff:
    if saved.inference:
        refuse_inference_tensor()
    return saved.version_counter[0]

# The saved tensor with its history, for create_graph and for the `_saved_*` attributes; None if none was saved
cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge)
cdef int keep_tangents_like(TensorBase written, TensorBase result) except -1
cdef TensorBase with_history(Node node, TensorImpl saved, int edge)

# saved_tensors_hooks: hand what `node` has saved to the pack hook; again for results saved later
cdef int pack_saved(Node node) except -1
cdef int pack_slot(Node node, int slot, int edge, tuple hooks) except -1
cdef PackedTensor pack(TensorBase t, tuple hooks)
cdef tuple default_hooks()             # (pack, unpack) of this thread, None
cdef list hooks_of_thread()            # all of them, to be restored; None: there are none on any thread
cdef int restore_hooks(list hooks) except -1
