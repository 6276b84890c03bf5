"""Helpers that the functions of `functional` share: arguments, errors of strict mode, gradients."""

from minitorch.autograd import grad as _grad
from minitorch.autograd.functions.tensor_methods import zeros_like
from minitorch.autograd.levels import current_levels, in_transform, is_older
from minitorch.autograd.variable import TensorBase

_NOT_STRICT = "This is not allowed in strict mode"
_NO_HISTORY = (
    "Output {i} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
_CONSTANT_GRADIENT = (
    "The gradient with respect to input {i} is independent of the inputs of the user-provided "
    f"function. {_NOT_STRICT}."
)
_CONSTANT_JACOBIAN = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    f"respect to input {{i}} is independent of the input. {_NOT_STRICT}. You should ensure that your "
    "function is twice differentiable and that the jacobian depends on the inputs (this would be "
    "violated by a linear function for example)."
)

# errors of strict mode for a gradient that is None or lacks a history that it needs
_MISSING = {
    "back": f"The output of the user-provided function is independent of input {{i}}. {_NOT_STRICT}.",
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients. "
    f"{_NOT_STRICT}.",
    "double_back": "The jacobian of the user-provided function is independent of input {i}. "
    f"{_NOT_STRICT}.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in "
    f"the grad_jacobian. {_NOT_STRICT} as it prevents from using the double backward trick to "
    "replace forward mode AD.",
}
_CUT_OFF = (
    "The {what} of the user-provided function is independent of input {i}. "
    f"{_NOT_STRICT} when create_graph=True."
)


# --------------------------------------------------------------------------------------------------
# Arguments
# --------------------------------------------------------------------------------------------------


def _tensors(value, name, function):
    """Return `value` as a tuple of tensors, and whether it was a tuple."""
    single = not isinstance(value, tuple)
    values = (value,) if single else value
    for index, item in enumerate(values):
        if not isinstance(item, TensorBase):
            where = f"given {name}" if single else f"value at index {index}"
            raise TypeError(
                f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but "
                f"the {where} has type {type(item)}."
            )
    return values, not single


def _leaves(inputs, create_graph, need_graph=True):
    """Return the inputs as new tensors, distinct from those that `func` may have captured."""
    shared = create_graph and not _are_samples()
    return tuple(
        x.view_as(x) if shared and x.requires_grad else x.detach().requires_grad_(need_graph)
        for x in inputs
    )


def _are_samples():
    """Return whether inputs carry a tangent per row inside of a transform.

    In PyTorch they require no grad then.
    """
    levels = current_levels()
    return bool(levels) and is_older(levels[-1]) and in_transform()


def _outputs(func, inputs, function):
    name = f"outputs of the user-provided function given to {function}"
    values = func(*inputs)
    single = not isinstance(values, tuple)
    for index, item in enumerate((values,) if single else values):
        if not isinstance(item, TensorBase):
            of = "outputs of the user-provided function"
            where = f"given {of}" if single else f"value at index {index}"
            raise TypeError(
                f"The {name} must be either a Tensor or a tuple of Tensors but the {where} has "
                f"type {type(item)}."
            )
    return ((values,) if single else values), not single


def _vector(v, like, many, function, create_graph):
    """Check the vector of a product against the shapes of `like`; None stays None."""
    if v is None:
        return None
    v = _leaves(_tensors(v, "v", function)[0], create_graph, need_graph=False)
    if len(v) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
            if many
            else "The given v should contain a single Tensor."
        )
    for index, (mine, other) in enumerate(zip(v, like, strict=True)):
        if mine.size() != other.size():
            entry = f"Entry {index} in " if many else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {other.size()} but got {mine.size()}."
            )
    return v


def _one_element(tensors):
    return len(tensors) == 1 and tensors[0].nelement() == 1


def _scalar(outputs, many, function):
    """Check that there is a single output, not in a tuple, with one element."""
    if many:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single element"
        )


# --------------------------------------------------------------------------------------------------
# Gradients
# --------------------------------------------------------------------------------------------------


def _gradients(
    outputs,
    inputs,
    grad_outputs=None,
    create_graph=False,
    retain_graph=None,
    is_grads_batched=False,
):
    """Return the input gradients of the outputs with a history; None for unused inputs."""
    grad_outputs = grad_outputs or (None,) * len(outputs)
    pairs = [
        (output, gradient)
        for output, gradient in zip(outputs, grad_outputs, strict=True)
        if output is not None and output.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    outputs, grad_outputs = zip(*pairs, strict=True)
    return _grad(
        outputs,
        inputs,
        grad_outputs,
        retain_graph=retain_graph,
        create_graph=create_graph,
        allow_unused=True,
        is_grads_batched=is_grads_batched,
    )


def _filled(gradients, like, strict, create_graph, stage):
    """Replace None by zeros in the gradients; raise an error for None in strict mode."""
    for i, gradient in enumerate(gradients):
        if strict and gradient is None:
            raise RuntimeError(_MISSING[stage].format(i=i))
        if strict and create_graph and not gradient.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(_CUT_OFF.format(what=what, i=i))
    return tuple(
        zeros_like(x) if gradient is None else gradient
        for gradient, x in zip(gradients, like, strict=True)
    )


def _demand_history(tensors, strict, text):
    for i, tensor in enumerate(tensors):
        if strict and (tensor is None or not tensor.requires_grad):
            raise RuntimeError((_MISSING["back"] if tensor is None else text).format(i=i))


def _given(tensors, many, create_graph):
    """Return the results as a tuple or a tensor, detached unless `create_graph` is set."""
    if not create_graph:
        tensors = tuple(tensor.detach() for tensor in tensors)
    return tensors if many else tensors[0]
