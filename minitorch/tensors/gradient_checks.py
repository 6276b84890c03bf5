"""Checks whether a tensor needs derivatives, and support for operators with one derivative."""

from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import asked
from minitorch.autograd.recording_errors import no_forward_mode, no_gradient_for


def at_each_level(tensor):
    """Yield the tensor and its value at each outer level of `vmap` and `grad`."""
    yield tensor
    while (special := wrapped_of(tensor)) is not None:
        tensor = special.value
        yield tensor


def value_outside(tensor):
    """Return the value of a tensor outside of all levels."""
    *_, value = at_each_level(tensor)
    return value


def needs_gradient(tensor):
    """Return whether a gradient or tangent may be needed at any level of a tensor."""
    recorded = is_grad_enabled()
    return any((recorded and t.requires_grad) or _any_dual([t]) for t in at_each_level(tensor))


def reject_tangents(tensors, name, form="function"):
    """Raise if a tensor has a tangent, for an operator without forward mode in PyTorch."""
    if any(_any_dual([t]) for tensor in tensors for t in at_each_level(tensor)):
        raise no_forward_mode(name, form)


def reject_gradients(name, **arguments):
    """Raise if an argument that the operator does not differentiate requires grad."""
    for argument, tensor in arguments.items():
        if tensor is not None and tensor.requires_grad and is_grad_enabled():
            raise no_gradient_for(name, argument)


def derived_once(tensor, forward, backward):
    """Return the argument for an operator that PyTorch differentiates only once, in reverse mode.

    Parameters
    ----------
    tensor : Tensor
        The differentiable argument. The operator is computed from the returned tensor.
    forward, backward : str
        PyTorch's names of the operator and its backward operator.

    Raises
    ------
    NotImplementedError
        If `tensor` has a tangent.
    """
    reject_tangents([tensor], forward)
    if asked(tensor) or not needs_gradient(tensor):
        return tensor
    message = f"derivative for aten::{backward} is not implemented"
    try:
        return _operator("_once_differentiable")(tensor, message)
    except NotImplementedError:  # raised for a tangent at a level that is hidden here
        raise no_forward_mode(forward) from None
