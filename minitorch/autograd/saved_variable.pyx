"""Unpacking the tensors that nodes have saved, with the checks that make it safe.

A saved tensor is a `TensorImpl` and the version it had. `edge` says where its history is: the number of the
node's edge for an input, `OUTPUT - n` for output n of the node itself, and `NO_EDGE` for a tensor that has none.
"""

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.node cimport Node
from minitorch.autograd.saved_errors cimport raise_unusable
from minitorch.autograd.special cimport interposers
from minitorch.autograd.variable cimport (
    Tangent, TensorBase, handle_of, make_recorded, make_tensor, set_history, set_impl)
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.special cimport Special, special_of_thread
from minitorch.core.tensor_impl cimport TensorImpl, alias, counter_of

# Note [Detached in place]
# A saved input gets its history from the node's edge. An input that was detached in place after it was saved would
# get that history back in a backward with create_graph. PyTorch raises an error for such an input in any backward.
# So `detach_` gives the tensor an alias of its impl, and makes the impl that nodes have saved use `_left` as its
# version counter. No saved version equals it, so the check for writes in `unpack` finds the impl.
cdef unsigned int _left = <unsigned int>-1


cdef int leave_to_nodes(TensorBase t) except -1:
    cdef TensorImpl saved = t.impl
    if saved.special is None:
        set_impl(t, alias(saved))
        saved.version_counter = &_left
    return 0


cdef TensorImpl with_version(TensorImpl saved):
    if saved is None or saved.version_counter != &_left:
        return saved
    saved = alias(saved)
    saved.version_counter = counter_of(saved)
    return saved


cdef PackedTensor packed_in(Node node, TensorImpl saved, unsigned int place):
    """Return the PackedTensor of a slot, or None. A packed slot has its index in place of the version."""
    if saved is not None or node.packed is None or place >= <size_t>len(node.packed):
        return None
    return <PackedTensor>node.packed[place]


cdef TensorImpl unpack_unusual(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    cdef PackedTensor packed = None if node.released else packed_in(node, saved, saved_version)
    if packed is not None:
        saved = packed.unpack()
        if edge != NO_EDGE and not is_differentiable(saved.dtype):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return saved
    if not node.released and saved is not None and saved.version_counter == &_left:
        if edge > OUTPUT:
            raise RuntimeError(
                "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
                "supported, please use out-of-place `.detach()` instead")
        saved = with_version(saved)
    if node.released or (saved is not None and saved.version_counter[0] != saved_version):
        raise_unusable(node, saved, saved_version, edge)
    return saved


cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    cdef TensorBase t
    cdef PackedTensor packed = packed_in(node, saved, saved_version)
    saved = unpack(node, saved, saved_version, edge)
    if saved is None:
        return None
    t = with_history(node, saved, edge)
    if node.tangents is not None:
        restore_tangents(node, t, t.impl if packed is None else packed.original)
    return t


# While CopySlices runs the node of an operator that wrote to a view: pairs (node, function). The function makes a
# tensor of the node's saved output. The history of that tensor is the view's, which leads to CopySlices and not to
# the node.
_running_in_place = []


cdef TensorBase with_history(Node node, TensorImpl saved, int edge):
    """Return a saved input or output of `node` as a tensor with its history."""
    cdef unsigned int output_nr = 0
    cdef Node function
    cdef TensorBase kept
    if edge <= OUTPUT and (saved.special is not None or interposers):
        kept = _output_of_special(saved)
        set_history(kept, node, OUTPUT - edge)
        return kept
    if saved.special is not None:
        special = (<Special>saved.special).saved_tensor(saved)
        if special is not None:
            return <TensorBase>special
    if edge <= OUTPUT:
        for inner, output_of_view in _running_in_place:
            if inner is node:
                return output_of_view(saved)
        return make_recorded(saved, node, OUTPUT - edge)
    function = None if edge == NO_EDGE else node.next_function(edge, &output_nr)
    if isinstance(function, AccumulateGrad):
        return (<AccumulateGrad>function).leaf_like(saved)
    kept = handle_of(saved)
    # also a leaf that requires grad only since it was saved: PyTorch saves the tensor itself
    if (kept is not None and kept._grad_fn is function and kept._output_nr == output_nr
            and node.tangents is None):
        return kept
    return make_recorded(saved, function, output_nr)


cdef TensorBase _output_of_special(TensorImpl saved):
    """Return a saved output as a new tensor without history, from its kind or a mode of this thread."""
    cdef Special special
    for special in (saved.special, special_of_thread()):
        if special is not None:
            output = special.saved_output(saved)
            if output is not None:
                return <TensorBase>output
    return make_tensor(saved)


cdef TensorBase tensor_of(TensorImpl saved):
    tensor = None if saved.special is None else (<Special>saved.special).saved_tensor(saved)
    return make_tensor(saved) if tensor is None else <TensorBase>tensor


cdef int restore_tangents(Node node, TensorBase saved, TensorImpl original) except -1:
    for impl, tangent in node.tangents:
        if impl is original:
            saved._tangent = <Tangent>tangent
    return 0


cdef class PackedTensor:
    cdef TensorImpl unpack(self):
        cdef TensorImpl impl
        result = self.unpack_hook(self.value)
        if not isinstance(result, TensorBase):
            raise TypeError("Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                            f"type {type(result).__name__}")
        impl = (<TensorBase>result).impl
        return impl if impl.special is None else (<Special>impl.special).to_save(result, impl)
