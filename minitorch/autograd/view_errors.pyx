"""PyTorch's errors for views that may not be written to in place."""

from minitorch.core.error_pages import explained

cdef str _NO_GRAD_VIEW_ADVICE = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
    "by moving both the view and the inplace either both inside the no_grad block (if you don't want the "
    "inplace to be tracked) or both outside (if you want the inplace to be tracked).")
cdef str _MULTI_VIEW_ADVICE = (
    " This view is the output of a function that returns multiple views. Such functions do not allow the "
    "output views to be modified inplace. You should replace the inplace operation by an out-of-place one.")
cdef dict _PAGES = {
    NO_GRAD_MODE: "no-grad-view", INFERENCE_MODE: "no-grad-view", MULTI_OUTPUT_NODE: "multi-view-in-place"}
cdef tuple _MODES = (("no_grad mode", " with grad mode enabled"), ("inference mode", " in normal mode"))


cdef int refuse_view(int meta, Node grad_fn, unsigned int output_nr, str what) except -1:
    """Raise RuntimeError, because a write would leave a view without a known history.

    `meta` is the `CreationMeta` of the view, and `grad_fn` its node, if it has one. `what` is "is being" for a write to
    the view itself, and otherwise says that its base "has been" written to.
    """
    if grad_fn is not None:
        text = f"Output {output_nr} of {_operator_name(grad_fn.name())} is a view"
        if meta == INFERENCE_MODE or meta == NO_GRAD_MODE:
            text += " of a view which was created in " + _MODES[meta == INFERENCE_MODE][0]
    else:
        text = "A view was created in " + _MODES[meta == INFERENCE_MODE][0]
    text += f" and {what} modified inplace"
    if meta == INFERENCE_MODE or meta == NO_GRAD_MODE or grad_fn is None:
        text += _MODES[meta == INFERENCE_MODE][1]
    text += "."
    if meta == MULTI_OUTPUT_NODE:
        text += _MULTI_VIEW_ADVICE
    elif meta == NO_GRAD_MODE:
        text += _NO_GRAD_VIEW_ADVICE
    elif meta == INFERENCE_MODE:
        text += _NO_GRAD_VIEW_ADVICE.replace("no_grad", "inference_mode")
    else:
        text += (
            " This view was created inside a custom Function (or because an input was returned "
            "as-is) and the autograd logic to handle view+inplace would override the custom backward "
            "associated with the custom Function, leading to incorrect gradients. This behavior is "
            "forbidden. You can fix this by cloning the output of the custom Function.")
    error = RuntimeError(text)
    raise error if meta not in _PAGES else explained(error, _PAGES[meta])


def _operator_name(str name):
    """Return the name of a node for error messages: 'Mul' for 'MulBackward0', 'Pow1' for 'PowBackward1'."""
    stem, separator, number = name.rpartition("Backward")
    if not separator or (number and not number.isdigit()):
        return name
    return stem if number == "0" else stem + number
