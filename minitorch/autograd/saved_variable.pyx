"""Unpacking what nodes have saved, with the checks that make it safe.

A saved tensor is a `TensorImpl` and the version it had. `edge` says whose it is: the number of the
edge it came in by (its history is that edge's function), `NO_EDGE`, or `OUTPUT - n` for the n-th
result of the node itself.
"""

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport TensorBase, make_recorded, make_tensor
from minitorch.core.dtype cimport class_name, itemsizes
from minitorch.core.tensor_impl cimport TensorImpl, numel, sizes_tuple

from minitorch.autograd.variable import _operator_name

cdef str _SECOND_BACKWARD = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or "
    "if you need to access saved tensors after calling backward.")


def _second_backward(Node node):
    """The error of a node whose saved tensors are gone."""
    error = RuntimeError(_SECOND_BACKWARD)
    error.add_note(f"The node is {node.name()}; what it had saved was freed when it ran before.")
    return error


cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1:
    cdef unsigned int output_nr = 0
    cdef Node function
    if node.released:
        raise _second_backward(node)
    if edge <= OUTPUT:
        function = node
        output_nr = OUTPUT - edge
    elif edge == NO_EDGE:
        function = None
    else:
        function = node.next_function(edge, &output_nr)
    label = _writer(saved, function, edge <= OUTPUT)
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[torch.{class_name(saved.dtype)}Tensor {list(sizes_tuple(saved))}]")
    if label is not None:
        message += f", which is output {output_nr} of {label},"
    error = RuntimeError(
        f"{message} is at version {saved.version_counter[0]}; expected version {saved_version} instead. "
        "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False).")
    error.add_note(f"{node.name()} had saved it in the forward pass. Write to a clone() instead, or write "
                   "before the forward pass.")
    raise error


cdef str _writer(TensorImpl saved, Node function, bint is_output):
    """Whose output a saved tensor is by now: a recorded write in place gave it another history."""
    if is_output or saved.storage.writer == NULL:
        return (None if function is None or isinstance(function, AccumulateGrad)
                else _operator_name(function.name()))
    if numel(saved) * itemsizes[saved.dtype] < saved.storage.nbytes:
        return "AsStrided"                  # a view of what was written
    name = saved.storage.writer.decode().rpartition(".")[2]
    return "torch::autograd::CopySlices" if name == "CopySlices" else _operator_name(name)


cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    cdef unsigned int output_nr = 0
    cdef Node function
    unpack(node, saved, saved_version, edge)
    if saved is None:
        return None
    if edge == NO_EDGE:
        return make_tensor(saved)
    if edge <= OUTPUT:
        return make_recorded(saved, node, OUTPUT - edge)
    function = node.next_function(edge, &output_nr)
    if function is None:
        return make_tensor(saved)
    if isinstance(function, AccumulateGrad):
        return _leaf(<AccumulateGrad>function, saved)
    return make_recorded(saved, function, output_nr)


cdef TensorBase _leaf(AccumulateGrad function, TensorImpl saved):
    """A leaf is saved as itself: gradients have to reach the tensor that the user holds."""
    cdef TensorBase leaf = function.variable
    if leaf.impl is saved:
        return leaf
    # `leaf.data` was assigned since: the old values, accumulating into the same leaf
    return make_recorded(saved, function, 0)
