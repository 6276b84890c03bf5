"""Gradients of custom operators: the registered formula, or a warning if there is none."""

import warnings

from minitorch._dispatch.modes import tensors_in
from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import _not_recording
from minitorch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

__all__ = ["Formula", "fallback_mode", "set_fallback_mode", "warn_later"]

_fallback_mode = "warn"


def fallback_mode():
    """Return the mode for operators without a derivative: ``"warn"`` or ``"nothing"``."""
    return _fallback_mode


def set_fallback_mode(mode):
    """Set the mode for operators without a derivative: ``"warn"`` or ``"nothing"``."""
    global _fallback_mode
    if mode == "error":
        raise RuntimeError("NYI: mode='error'")
    if mode not in ("warn", "nothing"):
        raise RuntimeError(f"Unsupported AutogradFallbackMode: {mode}")
    _fallback_mode = mode


def warn_later(overload, result, tensors):
    """Make the backward pass through the results of `overload` emit a warning."""

    def warn():
        warnings.warn(
            f"{overload.name()}: an autograd kernel was not registered to the Autograd key(s) but we are trying to "
            "backprop through it. This may lead to silently incorrect behavior. This behavior is deprecated and "
            "will be removed in a future version of PyTorch. If your operator is differentiable, please ensure you "
            "have registered an autograd kernel to the correct Autograd key (e.g. DispatchKey::Autograd, "
            "DispatchKey::CompositeImplicitAutograd). If your operator is not differentiable, or to squash this "
            "warning and use the previous behavior, please register torch::CppFunction::makeFallthrough() to "
            "DispatchKey::Autograd.",
            stacklevel=2,
        )

    def forward(ctx, *inputs):
        return tuple(new)

    def backward(ctx, *grads):
        warn()
        return (None,) * len(tensors)

    written = [r.alias_info is not None and r.alias_info.is_write for r in overload._schema.returns]
    new = []
    for k, t in enumerate(tree_leaves(result)):
        if not isinstance(t, Tensor):
            continue
        in_place = k < len(written) and written[k]
        if t.requires_grad:
            # a later write to the base may replace the view's history, so its base warns too
            for seen in (t, t._base) if in_place and t._is_view() else (t,):
                if seen.requires_grad:
                    seen.register_hook(lambda grad: warn())
        elif not in_place and (t.is_floating_point() or t.is_complex()):
            new.append(t)
    if new:
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        function = type("WarnNotImplemented", (Function,), body)
        function._backward_cls.__name__ = "CppFunction"
        function._backward_cls.name = lambda node: "torch::autograd::WarnNotImplemented"
        function.apply(*tensors)


class Formula:
    """Derivative of a custom operator, as registered by `register_autograd`.

    Parameters
    ----------
    backward : callable or None
        None if nothing was registered: the backward pass raises RuntimeError.
    setup_context : callable or None
    """

    def __init__(self, backward=None, setup_context=None):
        self.backward = backward
        self.setup_context = setup_context

    def __call__(self, overload, values, compute):
        schema = overload._schema
        inputs = tuple(values[a.name] for a in schema.arguments if not a.kwarg_only)
        named = {a.name: values[a.name] for a in schema.arguments if a.kwarg_only}
        flat, spec = tree_flatten(inputs)
        results = []
        plain = not any(isinstance(given, (list, tuple)) for given in inputs)

        def forward(ctx, *flat):
            given = dict(values)
            whole = tree_unflatten(flat[:-1], spec)
            names = (a.name for a in schema.arguments if not a.kwarg_only)
            given.update(zip(names, whole, strict=True))
            with _not_recording():
                result = compute(overload, given, tuple(tensors_in(given.values())))
            if self.setup_context is not None:
                if named:
                    self.setup_context(
                        ctx=ctx, inputs=whole, keyword_only_inputs=named, output=result
                    )
                else:
                    self.setup_context(ctx=ctx, inputs=whole, output=result)
            if not plain and hasattr(ctx, "_pt_metadata"):
                raise RuntimeError(
                    "Please don't set ctx._pt_metadata; PyTorch uses it to store info"
                )
            leaves, result_spec = tree_flatten(result)
            results.append(result_spec)
            return tuple(leaves)

        def backward(ctx, *grads):
            if self.backward is None:
                raise RuntimeError(
                    f"Trying to backward through {overload} but no autograd formula was registered. Please use "
                    "register_autograd to add one."
                )
            grads = tree_unflatten(grads, results[0])
            grads = grads if type(grads) is tuple else (grads,)
            needed = ctx.needs_input_grad[:-1]
            found = self.backward(NestedContext(ctx, tree_unflatten(needed, spec)), *grads)
            found = found if isinstance(found, tuple) else (found,)
            return (*(found if plain else _like_inputs(found, inputs)), None)

        name = (
            f"GeneratedBackwardFor_{overload.namespace}_{overload._opname}_{overload._overloadname}"
        )
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        # PyTorch passes one input more than the operator has: it counts in errors and in the graph
        outputs = type(name, (Function,), body).apply(*flat, schema)
        return tree_unflatten(outputs, results[0])


class NestedContext:
    """Context of a node, with `needs_input_grad` nested like the inputs."""

    def __init__(self, ctx, needs_input_grad):
        self.__dict__.update(_ctx=ctx, needs_input_grad=needs_input_grad)

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


def _like_inputs(found, inputs):
    flat = []
    for k, given in enumerate(inputs):
        leaves = len(tree_leaves(given)) if isinstance(given, (list, tuple)) else 1
        grad = found[k] if k < len(found) else None
        if (
            isinstance(given, (list, tuple))
            and isinstance(grad, (list, tuple))
            and len(grad) == leaves
        ):
            flat.extend(grad)
        elif not isinstance(given, (list, tuple)) and k < len(found):
            flat.append(grad)
        elif (
            grad is None
            and k < len(found)
            and not any(isinstance(t, Tensor) for t in tree_leaves(given))
        ):
            flat.extend([None] * leaves)
        else:
            shown = [tree_flatten((*values, None))[1] for values in (found, inputs)]
            raise RuntimeError(
                "Expected the return from backward to be of the same structure as the inputs. Got: "
                f"{shown[0]} (return from backward), {shown[1]} (inputs)"
            )
    return tuple(flat)
