"""The levels of `grad` and `jvp`: entering and leaving them, and lifting tensors to them."""

from contextlib import nullcontext

from minitorch import autograd
from minitorch._functorch import batching  # noqa: F401  (it registers the batching rules)
from minitorch._functorch._wrapping import wraps
from minitorch._tensor import Tensor
from minitorch.autograd import forward_ad
from minitorch.autograd.forward_grad import _is_fwd_grad_enabled, fwd_grad_set_to
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import (
    _recording_as_shown,
    enable_grad,
    grad_mode_set_to,
    inference_mode,
    is_grad_enabled,
)
from minitorch.autograd.graph import disable_saved_tensors_hooks
from minitorch.autograd.levels import Level, unwrap_dead, wrap_tensor, wrapped_of
from minitorch.autograd.special import special_of
from minitorch.core.context import contextmanager
from minitorch.utils._pytree import tree_map

_HOOKS_REFUSED = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. "
    "Please open an issue with your use case."
)

_jvp_nesting = 0


def doesnt_support_saved_tensors_hooks(f):
    """Decorate a transform inside of which hooks on saved tensors raise an error."""

    @wraps(f)
    def fn(*args, **kwargs):
        with disable_saved_tensors_hooks(_HOOKS_REFUSED):
            return f(*args, **kwargs)

    return fn


@contextmanager
def without_inference_mode():
    """Leave inference mode in the block, but compute no tangents if it did not."""
    computes_tangents = _is_fwd_grad_enabled()
    with inference_mode(False), fwd_grad_set_to(computes_tangents):
        yield


@contextmanager
def grad_level():
    """Enter a level of reverse mode, with grad mode switched on."""
    with Level("grad") as level, _recording_as_shown(), without_inference_mode(), enable_grad():
        yield level


@contextmanager
def jvp_level(linearizes=False):
    """Enter a level of forward mode, in which tangents are computed.

    With `linearizes`, the levels further out record the tangents in any grad mode.
    """
    global _jvp_nesting
    with Level("jvp", fwd_grad_mode=_is_fwd_grad_enabled(), linearizes=linearizes) as level:
        recorded = is_grad_enabled()
        try:
            _jvp_nesting += 1
            outermost = _jvp_nesting == 1
            with (
                inference_mode(False),
                grad_mode_set_to(recorded),
                fwd_grad_set_to(True),
                forward_ad.dual_level() if outermost else nullcontext(),
            ):
                yield level
        finally:
            _jvp_nesting -= 1


def wrap_for_grad(tree, level):
    """Lift the tensors of a tree to `level`."""

    def lifted(t):
        if not isinstance(t, Tensor):
            return t
        return wrap_tensor(unwrap_dead(t), level)

    return tree_map(lifted, tree)


def lifted(tensor, level):
    """Return `tensor` if it belongs to `level`, otherwise a tensor of the level that wraps it."""
    return tensor if _is_of(tensor, level) else wrap_for_grad(tensor, level)


def _is_of(tensor, level):
    special = wrapped_of(tensor)
    return special is not None and special.level is level


def unwrap_from_grad(tree, level):
    """Unwrap the tensors of a tree that belong to `level`.

    Raises
    ------
    RuntimeError
        When a leaf is not a tensor.
    """

    def value(t):
        if not isinstance(t, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(t)}")
        return special_of(t).value if _is_of(t, level) else t

    return tree_map(value, tree)


def create_differentiable(tree):
    """Make the lifted tensors of a tree require grad.

    Raises
    ------
    ValueError
        When a leaf is not a tensor.
    RuntimeError
        When a tensor is neither floating point nor complex.
    """

    def differentiable(t):
        if not isinstance(t, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(t)}")
        if t.grad_fn is None:
            t._change_requires_grad(
                True, "only Tensors of floating point dtype can require gradients"
            )
        return t

    return tree_map(differentiable, tree)


def autograd_grad(outputs, inputs, grad_outputs=None, retain_graph=False, create_graph=True):
    """Compute `autograd.grad`, with zeros for inputs that no output depends on."""
    weights = [None] * len(outputs) if grad_outputs is None else grad_outputs
    pairs = [(y, v) for y, v in zip(outputs, weights, strict=False) if y.requires_grad]
    if not pairs:
        return tuple(_ops.zeros_like(t) for t in inputs)
    roots, weights = zip(*pairs, strict=True)
    found = autograd.grad(
        roots,
        inputs,
        None if grad_outputs is None else weights,
        retain_graph=retain_graph,
        create_graph=create_graph,
        allow_unused=True,
    )
    return tuple(_ops.zeros_like(t) if g is None else g for g, t in zip(found, inputs, strict=True))
