"""`grad`, `vjp` and what is made of them: functions that give derivatives of functions.

A transform enters a level and wraps its inputs; the function runs on the wrapped tensors, which record
at this level alone, and what comes out is unwrapped: to the levels further out it was a computation as
any other, which they differentiate or batch in their turn.
"""

import contextlib

from minitorch import autograd
from minitorch._functorch import batching  # noqa: F401  (it registers the batching rules)
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.interpose import (
    Wrapped,
    enter_level,
    exit_level,
    special_of,
    unwrap_dead,
    wrap_tensor,
)
from minitorch.utils._pytree import tree_flatten, tree_map, tree_map_, tree_unflatten


@contextlib.contextmanager
def grad_level():
    """A level of differentiation; grad mode is on inside."""
    level = enter_level("grad")
    try:
        with enable_grad():
            yield level
    finally:
        exit_level(level)


def wrap_for_grad(tree, level):
    """A tree with its tensors lifted to `level`."""
    return tree_map(lambda t: wrap_tensor(unwrap_dead(t), level) if isinstance(t, Tensor) else t, tree)


def unwrap_from_grad(tree, level):
    """A tree with what its tensors are one level further out."""
    return tree_map(lambda t: _unwrapped(t, level), tree)


def _unwrapped(t, level):
    if not isinstance(t, Tensor):
        return t
    special = special_of(t)
    return special.value if isinstance(special, Wrapped) and special.level is level else t


def create_differentiable(tree):
    """Let the tensors of a tree require grad."""

    def differentiable(t):
        if not isinstance(t, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
        return t.requires_grad_()

    return tree_map(differentiable, tree)


def autograd_grad(outputs, inputs, grad_outputs=None, retain_graph=False, create_graph=False):
    """`autograd.grad` with zeros for inputs that nothing depends on."""
    if grad_outputs is None:
        pairs = [(out, None) for out in outputs if out.requires_grad]
    else:
        pairs = [(out, v) for out, v in zip(outputs, grad_outputs, strict=True) if out.requires_grad]
    if not pairs:
        return tuple(_ops.zeros_like(t) for t in inputs)
    roots, grads = zip(*pairs, strict=True)
    found = autograd.grad(
        roots,
        inputs,
        None if grad_outputs is None else grads,
        retain_graph=retain_graph,
        create_graph=create_graph,
        allow_unused=True,
    )
    return tuple(
        _ops.zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True)
    )


def grad_and_value_impl(func, argnums, has_aux, args, kwargs):
    """(gradient, value) of a function of tensors with one number as its result."""
    with grad_level() as level:
        args, kwargs = wrap_for_grad((args, kwargs), level)
        chosen = args[argnums] if isinstance(argnums, int) else tuple(args[k] for k in argnums)
        tree_map_(create_differentiable, chosen)
        output = func(*args, **kwargs)
        aux = None
        if has_aux:
            output, aux = output
        flat, spec = tree_flatten(chosen)
        grads = tree_unflatten(autograd_grad([output], flat), spec)
        return (unwrap_from_grad(part, level) for part in (grads, output, aux))
