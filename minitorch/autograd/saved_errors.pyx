"""The errors of saved tensors that were freed, or written to since they were saved."""

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.anomaly cimport anomaly_enabled, origin_of
from minitorch.core.dtype cimport itemsizes
from minitorch.core.tensor_impl cimport numel, sizes_tuple
from minitorch.ops.common.type_names cimport tensor_type_name

from minitorch.autograd.view_errors import _operator_name
from minitorch.core.error_pages import explained

cdef str _SECOND_BACKWARD = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or "
    "if you need to access saved tensors after calling backward.")


cdef str _HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False).")
cdef str _HINT_OF_ANOMALY_MODE = (
    "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in "
    "question was changed in there or anywhere later. Good luck!")


def _second_backward(Node node):
    """Return the error of a node whose saved tensors were freed."""
    error = RuntimeError(_SECOND_BACKWARD)
    error.add_note(f"The node is {node.name()}; what it had saved was freed when it ran before.")
    _note_origin(error, node)
    return explained(error, "second-backward")


cdef int _note_origin(error, Node node) except -1:
    line = origin_of(node)
    if line is not None:
        error.add_note(f"It was recorded at {line}")
    return 0


# While a gathered node runs the nodes it stands for: functions (node, edge) -> (node, edge), from one of those nodes
# to the one that the user sees
_gathered = []


cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1:
    cdef unsigned int output_nr = 0, input_nr
    cdef Node function
    if node.released or saved is None:
        raise _second_backward(node)
    for seen_as in reversed(_gathered):
        node, edge = seen_as(node, edge)
    if edge <= OUTPUT:
        function = node
        output_nr = OUTPUT - edge
    elif edge == NO_EDGE:
        function = None
    else:
        # as in PyTorch, `output_nr` stays 0 for every input
        function = node.next_function(edge, &input_nr)
    label = _writer(saved, function, edge <= OUTPUT)
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor_type_name(saved.dtype)} {list(sizes_tuple(saved))}]")
    if label is not None:
        message += f", which is output {output_nr} of {label},"
    error = RuntimeError(
        f"{message} is at version {saved.version_counter[0]}; expected version {saved_version} instead. "
        + (_HINT_OF_ANOMALY_MODE if anomaly_enabled else _HINT))
    error.add_note(f"{node.name()} had saved it in the forward pass. Write to a clone() instead, or write "
                   "before the forward pass.")
    _note_origin(error, node)
    raise explained(error, "saved-tensor-modified")


cdef str _writer(TensorImpl saved, Node function, bint is_output):
    """Return the name of the node that a saved tensor is an output of now, after it was written to, or None.

    A recorded write in place has given the tensor another history.
    """
    if not is_output and function is not None and vars(type(function)).get("_makes_view", False):
        return "AsStrided"                  # any write to a view gives it a new grad_fn
    if is_output or saved.storage.writer == NULL:
        return (None if function is None or isinstance(function, AccumulateGrad)
                else _operator_name(function.name()))
    if numel(saved) * itemsizes[saved.dtype] < saved.storage.nbytes:
        return "AsStrided"                  # a view of the tensor that was written to
    name = saved.storage.writer.decode().rpartition(".")[2]
    if name == "CopySlices" or name == "NotImplemented" or name == "CopyBackwards":
        return "torch::autograd::" + name
    return _operator_name(name)


cdef int refuse_inference_tensor() except -1:
    raise explained(RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
        "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."),
        "inference-tensor-saved")
