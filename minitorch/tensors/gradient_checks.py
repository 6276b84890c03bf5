"""Whether a derivative of a tensor is wanted, and what has one derivative and no more."""

from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.functions.support import no_forward_mode, no_gradient_for
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.levels import Wrapped
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import asked
from minitorch.autograd.special import special_of


def at_each_level(tensor):
    """The tensor, and what it is to each level of `vmap` and `grad` further out."""
    yield tensor
    while isinstance(special := special_of(tensor), Wrapped):
        tensor = special.value
        yield tensor


def value_outside(tensor):
    """What a tensor is outside of all levels."""
    *_, value = at_each_level(tensor)
    return value


def needs_gradient(tensor):
    """Whether a gradient or a tangent may be wanted, at any of the levels that a tensor is of."""
    recorded = is_grad_enabled()
    return any((recorded and t.requires_grad) or _any_dual([t]) for t in at_each_level(tensor))


def refuse_tangents(tensors, name, form="function"):
    """Raise PyTorch's error for an operator that it has no forward mode of, where some tensor has a tangent."""
    if any(_any_dual([t]) for tensor in tensors for t in at_each_level(tensor)):
        raise no_forward_mode(name, form)


def refuse_gradients(name, **arguments):
    """Raise PyTorch's error where an argument that has no gradient requires grad."""
    for argument, tensor in arguments.items():
        if tensor is not None and tensor.requires_grad and is_grad_enabled():
            raise no_gradient_for(name, argument)


def derived_once(tensor, forward, backward):
    """The argument of an operator that PyTorch derives once, in reverse mode.

    Parameters
    ----------
    tensor : Tensor
        What gradients flow to. The operator is computed from what is returned.
    forward, backward : str
        PyTorch's names of the operator and of the one that computes its gradient.

    Raises
    ------
    NotImplementedError
        When `tensor` has a tangent.
    """
    refuse_tangents([tensor], forward)
    if asked(tensor) or not needs_gradient(tensor):
        return tensor
    message = f"derivative for aten::{backward} is not implemented"
    try:
        return _operator("_once_differentiable")(tensor, message)
    except NotImplementedError:  # of a tangent at a level that is hidden here
        raise no_forward_mode(forward) from None
