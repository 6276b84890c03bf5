"""Operators that are composed here but are single operators in PyTorch.

Modes and subclasses see the single operator, and the graph has one node with PyTorch's name for it.
When a mode calls the operator by that name in turn, the composition runs.
"""

import functools

from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.python_dispatch import asked, told
from minitorch.autograd.variable import TensorBase


def as_one_operator(name, args, composed, derivative):
    """Return ``composed()``, or the result of dispatching PyTorch's operator to a mode or subclass.

    Parameters
    ----------
    name : str
        The operator's name.
    args : tuple
        Its arguments, the first one a tensor.
    composed : callable
        Computes the result from other operators.
    derivative : callable
        Called as ``derivative(grad, *args, *others)``, where ``grad`` is the gradient of the first
        result and ``others`` are the remaining results. Returns the gradient of the first argument.
    """
    tensors = [a for a in args if isinstance(a, TensorBase)]
    transformed = _any_dual(tensors) or any(wrapped_of(t) is not None for t in tensors)
    if transformed or not asked(*tensors):
        return composed()
    return _recorded(name).apply(derivative, *args)


def as_one_composed(name, args, composed):
    """Call `as_one_operator` with a derivative obtained by differentiating the composition.

    Parameters
    ----------
    name : str
    args : tuple
    composed : callable
        Called as ``composed(first)``: computes the result for another first argument.
    """

    def derivative(grad, first, *rest):
        leaf = first.detach().requires_grad_()
        with enable_grad():
            result = composed(leaf)
        result = result[0] if isinstance(result, (tuple, list)) else result
        return _backward(result, grad, leaf)

    return as_one_operator(name, args, lambda: composed(args[0]), derivative)


def _backward(result, grad, leaf):
    result.backward(grad, inputs=[leaf])
    return leaf.grad


@functools.cache
def _recorded(name):
    """Return the `Function` that records the operator `name`."""

    def forward(ctx, derivative, *args):
        result = told(name, args, {})
        others = result[1:] if isinstance(result, (tuple, list)) else ()
        ctx.mark_non_differentiable(*others)
        ctx.save_for_backward(args[0], *others)
        ctx.rest, ctx.derivative = args[1:], derivative
        return tuple(result) if others else result

    def backward(ctx, grad, *_):
        first, *others = ctx.saved_tensors
        nothing = (None for _ in ctx.rest)
        return None, ctx.derivative(grad, first, *ctx.rest, *others), *nothing

    title = name.removesuffix("_forward").replace("2d", "2D").replace("3d", "3D")
    title = "".join(part[:1].upper() + part[1:] for part in title.split("_"))
    made = type(title, (Function,), {m.__name__: staticmethod(m) for m in (forward, backward)})
    node = made._backward_cls
    node.__name__ = node.__qualname__ = f"{title}Backward0"
    node.__module__ = "builtins"
    return made
