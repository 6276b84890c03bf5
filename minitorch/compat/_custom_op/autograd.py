"""Autograd kernels of `CustomOp` from the registered save and backward functions."""

from collections import namedtuple

from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import _not_recording, is_grad_enabled
from minitorch.utils._pytree import tree_any, tree_flatten, tree_leaves, tree_map, tree_unflatten

__all__ = ["autograd_kernel", "make_formula"]


def autograd_kernel(op):
    """Return the ``Autograd`` kernel of a `CustomOp`."""

    def kernel(*args, **kwargs):
        if op._has_impl("autograd"):
            return op._get_impl("autograd").func(*args, **kwargs)
        _check_is_whole(op)
        wants = tree_any(lambda x: isinstance(x, Tensor) and x.requires_grad, (args, kwargs))
        if wants and is_grad_enabled():
            raise RuntimeError("Autograd has not been implemented for operator")
        return _below(op, args, kwargs)

    return kernel


def _below(op, args, kwargs):
    with _not_recording():
        return op._ophandle(*args, **kwargs)


def _check_is_whole(op):
    """Raise an error if only one of the save and backward functions is registered."""
    for found, missing in (("backward", "save_for_backward"), ("save_for_backward", "backward")):
        if op._has_impl(found):
            raise RuntimeError(
                f"We found a '{found}' registration for {op} at "
                f"{op._get_impl(found).location} but were unable to find a '{missing}' registration. "
                f"To use the CustomOp API to register a backward formula, "
                f"please provide us both a backward function and a "
                f"'save for backward' function via `impl_backward` and "
                f"`impl_save_for_backward` respectively."
            )


def make_formula(op):
    """Return a function that calls the operator and records its derivative."""
    names = [argument.name for argument in op._schema.arguments]
    Args = namedtuple(f"{op._opname}_args", names)
    save, backward = op._get_impl("save_for_backward").func, op._get_impl("backward").func

    def formula(*args, **kwargs):
        values = Args(**op._schema.bind(args, kwargs))
        flat, spec = tree_flatten(tuple(values))
        outside = {}

        def forward(ctx, *flat):
            inside = Args(*tree_unflatten(list(flat), spec))
            output = _below(op, (), inside._asdict())
            ctx.kinds = Args(*tree_map(type, tuple(inside)))
            _keep(ctx, save(inside, output))
            _mark(ctx, output, op._output_differentiability)
            flat_output, outside["spec"] = tree_flatten(output)
            return tuple(flat_output)

        def backwards(ctx, *grads):
            grads = tree_unflatten(list(grads), outside["spec"])
            grads = grads if isinstance(grads, tuple) else (grads,)
            found = backward(object(), _kept(ctx), *grads)
            _check(op, found, ctx.kinds)
            each = [
                found[name] if name in found else tree_map(lambda x: None, kind)
                for name, kind in ctx.kinds._asdict().items()
            ]
            return tuple(tree_leaves(each))

        body = {"forward": staticmethod(forward), "backward": staticmethod(backwards)}
        function = type(f"{op._opname}_customop", (Function,), body)
        return tree_unflatten(list(function.apply(*flat)), outside["spec"])

    return formula


def _keep(ctx, values):
    """Save tensors with `save_for_backward` and store other values on `ctx`.

    Storing tensors on `ctx` directly would create reference cycles.
    """
    flat, ctx.spec = tree_flatten(values)
    ctx.save_for_backward(*(x for x in flat if isinstance(x, Tensor)))
    ctx.others = [None if isinstance(x, Tensor) else (x,) for x in flat]


def _kept(ctx):
    tensors = iter(ctx.saved_tensors)
    flat = [next(tensors) if other is None else other[0] for other in ctx.others]
    return tree_unflatten(flat, ctx.spec)


def _mark(ctx, output, differentiability):
    if differentiability is None:
        return
    without = []
    for i, (wanted, out) in enumerate(
        zip(differentiability, output if isinstance(output, tuple) else (output,), strict=True)
    ):
        if isinstance(out, (Tensor, list)):
            without += [] if wanted else tree_leaves(out)
        elif wanted:
            raise RuntimeError(
                f"With output_differentiability={differentiability}. "
                f"At idx {i}, we received an object of type {type(out)} that "
                f"is not a Tensor, so it cannot have be marked as differentiable in "
                f"output_differentiability."
            )
    if without:
        ctx.mark_non_differentiable(*without)


def _check(op, found, kinds):
    """Raise an error unless `found` maps each tensor argument to a gradient or None."""

    def fail(what):
        raise RuntimeError(
            f"In the backward function defined for {op} at "
            f"{op._get_impl('backward').location} using the CustomOp API, {what}"
        )

    if not isinstance(found, dict):
        fail(f"expected the output of the backward function to be a dict but got {type(found)}")
    expected = {a.name for a in op._schema.arguments if "Tensor" in str(a.type)}
    if expected != found.keys():
        fail(
            f"expected the returned grad_input dict to have keys "
            f"{expected} but got {found.keys()}. The backward "
            f"function must return a gradient (can be None) for each arg "
            f"to the CustomOp that may be a Tensor or Sequence[Tensor]. "
            f"Args declared to be non-Tensor-like types should not appear "
            f"in the grad_input dict"
        )
    for name, grad in found.items():
        kind = getattr(kinds, name)
        if isinstance(kind, (list, tuple)):
            _check_list(fail, name, grad, kind)
        elif grad is not None:
            _check_single(fail, name, grad, kind)


def _check_single(fail, name, grad, kind):
    if not isinstance(grad, Tensor):
        fail(
            f"got object of type {type(grad)} as the gradient for input '{name}', "
            f"but expected the gradient to be either None or a Tensor"
        )
    if not issubclass(kind, Tensor):
        fail(
            f"got a Tensor as the gradient for input '{name}' but "
            f"expected None as the gradient because input '{name}' "
            f"was not a Tensor (it was type {kind})."
        )


def _check_list(fail, name, grads, kinds):
    if not isinstance(grads, (tuple, list)):
        fail(
            f"for input '{name}' expected the grad_input dict to "
            f"hold a list of gradients but got object of type {type(grads)}."
        )
    if len(grads) != len(kinds):
        fail(
            f"for input '{name}' expected the grad_input dict to "
            f"hold a list of {len(kinds)} gradients but got {len(grads)}"
        )
    for i, (grad, kind) in enumerate(zip(grads, kinds, strict=True)):
        if grad is None:
            continue
        if not isinstance(grad, Tensor):
            fail(
                f"for input '{name}' expected the grad_input dict to "
                f"hold a list of None or Tensor gradients but got "
                f"object of {type(grad)} at index {i}"
            )
        if not issubclass(kind, Tensor):
            fail(
                f"for input '{name}', got a Tensor as the gradient "
                f"for the {i}-th value but expected None because "
                f"the {i}-th value was not a Tensor (it was type {kinds}"
            )
