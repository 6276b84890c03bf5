"""`autograd.Function` inside of transforms.

`Function.apply` calls this module when the thread is in a transform, or when an argument is a
tensor of one. The innermost level among the arguments is handled first. A `grad` level records a
node of the function, whose forward applies the function to the wrapped values. A `jvp` level calls
the function's `jvp` for the tangents. A `vmap` level uses the function's vmap rule. The user's
forward therefore sees ordinary tensors, and each level has its own node, tangents or batch.
"""

from typing import NamedTuple

from minitorch._functorch._vmapped_function import unwrap_batched, vmapped_function, wrap_batched
from minitorch._tensor import Tensor
from minitorch.autograd.forward_grad import _any_dual, fwd_grad_set_to
from minitorch.autograd.function import Function, _is_setup_context_defined
from minitorch.autograd.grad_mode import grad_mode_set_to, is_grad_enabled, no_grad
from minitorch.autograd.levels import (
    current_levels,
    further_out_than,
    is_hidden,
    outside_of_levels,
    unwrap_dead,
    wrap_tensor,
    wrapped_of,
)
from minitorch.autograd.python_function import _apply_at_one_level
from minitorch.autograd.special import special_of
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.utils._pytree import (
    _broadcast_to_and_flatten,
    tree_all,
    tree_flatten,
    tree_leaves,
    tree_map_only,
    tree_unflatten,
)

_GUIDE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
_NOT_GIVEN = object()


class VmapInfo(NamedTuple):
    """Argument of a `Function`'s `vmap` method: the size of the batch, and vmap's `randomness`."""

    batch_size: int
    randomness: str


def custom_function_call(function, arguments):
    """Apply a `Function` to arguments of any level.

    Raises
    ------
    RuntimeError
        When the function has no `setup_context`, or inside of `vmap` not exactly one rule.
    """
    arguments = tuple(unwrap_dead(a) if isinstance(a, Tensor) else a for a in arguments)
    if not current_levels() and all(
        special_of(a) is None for a in arguments if isinstance(a, Tensor)
    ):
        return _apply_at_one_level(function, arguments)
    if not _is_setup_context_defined(function.setup_context):
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it "
            f"must override the setup_context staticmethod. {_GUIDE}"
        )
    if any(level.kind == "vmap" for level in current_levels()):
        _check_vmap_rule(function)  # also if no argument is batched
    return _at_innermost_level(function, arguments)


def _at_innermost_level(function, arguments):
    tensors = [a for a in tree_leaves(arguments) if isinstance(a, Tensor)]
    levels = [s.level for s in map(wrapped_of, tensors) if s is not None and s.level.alive]
    level = max(levels, key=lambda level: level.number, default=None)
    lifting = _lifting_level(level)
    if lifting is not None:
        # as for operators, tensors from further out are constants of the level
        level = lifting
        arguments = tree_map_only(Tensor, lambda t: wrap_tensor(t, lifting), arguments)
    duals = _any_dual(tensors)
    if level is None:

        def plain(*inputs):
            with no_grad(), fwd_grad_set_to(False):
                return function.forward(*inputs)

        with outside_of_levels():
            return _apply_at_one_level(function, arguments, plain if duals else None)
    if level.kind != "vmap":

        def on_values(*inputs):
            values = tree_map_only(Tensor, lambda t: _value(t, level), inputs)
            with further_out_than(level), grad_mode_set_to(is_grad_enabled() and level.grad_mode):
                output = _at_innermost_level(function, values)
            return _rewrapped(output, values, inputs, lambda t: wrap_tensor(t, level))

        return _apply_at_one_level(_named(function), arguments, on_values)
    if duals:
        return _apply_at_one_level(
            _named(function), arguments, lambda *inputs: _batched(function, inputs, level)
        )
    return _batched(function, arguments, level)


def _lifting_level(top):
    """Return the innermost derivative level that is further in than `top`; None if there is none.

    `top` is the innermost level among the arguments.
    """
    for level in reversed(current_levels()):
        if level is top:
            return None
        if level.kind in ("grad", "jvp") and not is_hidden(level):
            return level
    return None


def _value(t, level):
    special = wrapped_of(t)
    return special.value if special is not None and special.level is level else t


def _named(function):
    """Return the class of nodes in a transform's graph; as in PyTorch, `vjp` is not used."""
    found = vars(function).get("_generated")
    if found is None:
        body = {"backward": staticmethod(function.backward), "vjp": staticmethod(Function.vjp)}
        found = function._generated = type(f"{function.__name__}Generated", (function,), body)
    return found


def _rewrapped(output, values, inputs, wrap, out_dims=_NOT_GIVEN):
    """Wrap the tensors of an output; one of `values` becomes the input that wraps it."""
    flat, spec = tree_flatten(output)
    if out_dims is _NOT_GIVEN:
        dims = [()] * len(flat)
    else:
        dims = _broadcast_to_and_flatten(out_dims, spec)
        if dims is None:
            raise RuntimeError(
                "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. "
                f"Expected out_dims={out_dims} to be compatible with the structure of `output`. out_dims has "
                f"structure {tree_flatten(out_dims)[1]} but output has structure {spec}. {_GUIDE}"
            )
        dims = [(dim,) for dim in dims]
    known = {
        id(value): given
        for value, given in zip(tree_leaves(values), tree_leaves(inputs), strict=True)
        if isinstance(value, Tensor)
    }
    return tree_unflatten(
        [
            (known[id(t)] if id(t) in known else wrap(t, *dim)) if isinstance(t, Tensor) else t
            for t, dim in zip(flat, dims, strict=True)
        ],
        spec,
    )


# ---- vmap


def _check_vmap_rule(function):
    overridden = function.vmap is not Function.vmap
    if function.generate_vmap_rule:
        if overridden:
            raise RuntimeError(
                f"You tried to vmap over {function.__name__}, but it has both generate_vmap_rule=True and an "
                "overridden vmap staticmethod. Please set generate_vmap_rule=False or delete the overridden "
                f"vmap staticmethod to avoid ambiguity. {_GUIDE}"
            )
    elif not overridden:
        raise RuntimeError(
            f"You tried to vmap over {function.__name__}, but it does not have vmap support. Please override and "
            f"implement the vmap staticmethod or set generate_vmap_rule=True. {_GUIDE}"
        )


def _batched(function, arguments, level):
    values, in_dims = unwrap_batched(arguments, level)
    if tree_all(lambda dim: dim is None, in_dims):
        with further_out_than(level):
            return _at_innermost_level(function, arguments)
    if function.generate_vmap_rule:
        vmapped, out_dims = vmapped_function(function, in_dims, level.batch_size, level.randomness)
        with further_out_than(level):
            output = _at_innermost_level(vmapped, values)
        return wrap_batched(output, out_dims(), level)
    with further_out_than(level):
        result = function.vmap(VmapInfo(level.batch_size, level.randomness), in_dims, *values)
    _check_pair(result)
    output, out_dims = result

    def wrap(t, dim):
        if dim is None:
            return t
        # a negative dim is made positive before the range check, as in PyTorch
        dim = maybe_wrap_dim(dim + t.dim() if dim < 0 else dim, t.dim(), wrap_scalar=False)
        return wrap_tensor(t, level, dim)

    return _rewrapped(output, values, arguments, wrap, out_dims)


def _check_pair(result):
    expected = (
        "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure "
        "compatible with the output. "
    )
    if not isinstance(result, tuple):
        raise RuntimeError(f"{expected}Got a {type(result)} instead")
    if len(result) != 2:
        raise RuntimeError(f"{expected}Got {len(result)} returns instead")
