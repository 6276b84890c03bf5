"""``torch._C._functorch``: looking at the tensors of transforms, and entering levels by hand."""

import threading
from enum import Enum

from minitorch._functorch._vmapped_function import unwrap_batched as _unwrap_tree
from minitorch._functorch.batching.fallback import switches as _fallback
from minitorch.autograd.levels import Wrapped as _Wrapped
from minitorch.autograd.levels import current_levels as _current_levels
from minitorch.autograd.levels import enter_level as _enter_level
from minitorch.autograd.levels import exit_level as _exit_level
from minitorch.autograd.levels import unwrap_dead as unwrap_if_dead
from minitorch.autograd.levels import wrap_tensor as _wrap_tensor
from minitorch.autograd.special import special_of as _special_of

__all__ = [
    "RandomnessType",
    "TransformType",
    "current_level",
    "dlevel",
    "get_dynamic_layer_stack_depth",
    "get_inplace_requires_grad_allowed",
    "get_single_level_autograd_function_allowed",
    "get_unwrapped",
    "is_batchedtensor",
    "is_dead_tensor_wrapper",
    "is_functionaltensor",
    "is_functorch_wrapped_tensor",
    "is_gradtrackingtensor",
    "is_legacy_batchedtensor",
    "maybe_current_level",
    "maybe_get_bdim",
    "maybe_get_level",
    "reshape_dim_into",
    "reshape_dim_outof",
    "set_inplace_requires_grad_allowed",
    "set_single_level_autograd_function_allowed",
    "unwrap_if_dead",
]


class TransformType(Enum):
    """The kinds of transforms."""

    Torch = 0
    Vmap = 1
    Grad = 2
    Jvp = 3
    Functionalize = 4


class RandomnessType(Enum):
    """What random operators do inside of `vmap`."""

    Error = 0
    Same = 1
    Different = 2


def _wrapped(tensor):
    special = _special_of(tensor)
    return special if isinstance(special, _Wrapped) else None


# ---- looking at tensors


def is_functorch_wrapped_tensor(tensor):
    """Whether a tensor is of a transform."""
    return _wrapped(tensor) is not None


def is_batchedtensor(tensor):
    """Whether a tensor is a sample of a batch, of `vmap`."""
    special = _wrapped(tensor)
    return special is not None and special.dim >= 0


def is_gradtrackingtensor(tensor):
    """Whether a tensor is of a transform that differentiates in reverse mode."""
    special = _wrapped(tensor)
    return special is not None and special.dim < 0 and special.level.kind != "functionalize"


def is_functionaltensor(tensor):
    """Whether a tensor is of `functionalize`."""
    special = _wrapped(tensor)
    return special is not None and special.level.kind == "functionalize"


def is_legacy_batchedtensor(tensor):
    """Whether a tensor is a sample of the first `vmap` that PyTorch had: none is."""
    return False


def is_dead_tensor_wrapper(tensor):
    """Whether a tensor is of a transform that differentiates, and that was left."""
    return is_gradtrackingtensor(tensor) and not _wrapped(tensor).level.alive


def get_unwrapped(tensor):
    """What a tensor of a transform is one level further out.

    Raises
    ------
    RuntimeError
        When it is of none.
    """
    special = _wrapped(tensor)
    if special is None:
        raise RuntimeError("No wrappers present!")
    return special.value


def maybe_get_level(tensor):
    """The number of the level that a tensor is of: -1 for none, -2 for one that was left."""
    special = _wrapped(tensor)
    if special is None:
        return -1
    return -2 if is_dead_tensor_wrapper(tensor) else special.level.number


def dlevel(tensor):
    """The number of the level that a tensor is differentiated at: 0 for none, -1 for one that was left."""
    if not is_gradtrackingtensor(tensor):
        return 0
    return -1 if is_dead_tensor_wrapper(tensor) else _wrapped(tensor).level.number


def maybe_get_bdim(tensor):
    """Which dimension of what a sample wraps is the batch's; -1 where there is none."""
    special = _wrapped(tensor)
    return -1 if special is None else special.dim


# ---- levels


def get_dynamic_layer_stack_depth():
    """How many levels this thread is in."""
    return len(_current_levels())


def maybe_current_level():
    """The number of the innermost level, or None."""
    levels = _current_levels()
    return levels[-1].number if levels else None


def current_level():
    """The number of the innermost level.

    Raises
    ------
    RuntimeError
        Outside of all.
    """
    number = maybe_current_level()
    if number is None:
        raise RuntimeError("maybe_layer.has_value() INTERNAL ASSERT FAILED")
    return number


def _level(number):
    """The level of a number; `vmap` hands on the level itself."""
    for level in _current_levels():
        if number in (level, level.number):
            return level
    raise RuntimeError(f"this thread is in no level {number}")


def _left():
    level = _current_levels()[-1:]
    if not level:
        raise RuntimeError("!dynamicLayerStack.empty() INTERNAL ASSERT FAILED")
    _exit_level(level[0])
    return level[0].number


def _vmap_increment_nesting(batch_size, randomness):
    if randomness not in ("error", "same", "different"):
        raise RuntimeError("randomness argument must be error, same, or different.")
    return _enter_level("vmap", batch_size, randomness).number


def _grad_increment_nesting():
    return _enter_level("grad").number


_vmap_decrement_nesting = _grad_decrement_nesting = _left


def _add_batch_dim(tensor, dim, level):
    return _wrap_tensor(unwrap_if_dead(tensor), _level(level), dim % max(tensor.dim(), 1))


def _remove_batch_dim(tensor, level, batch_size, out_dim):
    value, dim = _unwrap_batched(tensor, level)
    if dim is None:
        return tensor.unsqueeze(out_dim).expand(
            *tensor.shape[:out_dim], batch_size, *tensor.shape[out_dim:]
        )
    return value.movedim(dim, out_dim)


def _unwrap_batched(tensor, level):
    return _unwrap_tree(tensor, _level(level))


def _wrap_for_grad(tensor, level):
    return _wrap_tensor(unwrap_if_dead(tensor), _level(level))


def _unwrap_for_grad(tensor, level):
    special = _wrapped(tensor)
    if special is None or special.dim >= 0 or special.level.number != level:
        return tensor
    return special.value


# ---- switches


class _Switches(threading.local):
    inplace_requires_grad = single_level_function = False


_switches = _Switches()


def set_inplace_requires_grad_allowed(allowed):
    """Say whether ``requires_grad_`` may be called in a transform; it is kept, and not looked at."""
    _switches.inplace_requires_grad = allowed


def get_inplace_requires_grad_allowed():
    """What `set_inplace_requires_grad_allowed` was told."""
    return _switches.inplace_requires_grad


def set_single_level_autograd_function_allowed(allowed):
    """Say whether a `Function` may be applied at one level; it always may."""
    _switches.single_level_function = allowed


def get_single_level_autograd_function_allowed():
    """What `set_single_level_autograd_function_allowed` was told."""
    return _switches.single_level_function


def _set_vmap_fallback_enabled(enabled):
    _fallback.enabled = bool(enabled)


def _is_vmap_fallback_enabled():
    return _fallback.enabled


def _set_vmap_fallback_warning_enabled(enabled):
    _fallback.warns = bool(enabled)


# ---- dimensions


def reshape_dim_into(source, target, tensor):
    """Put dimension `source` in front of dimension `target` of the rest, as one with it."""
    moved = tensor.movedim(source, target % (tensor.dim() - 1))
    return moved.flatten(target % (tensor.dim() - 1), target % (tensor.dim() - 1) + 1)


def reshape_dim_outof(source, size, tensor):
    """Split dimension `source` into one of `size` and one of the rest."""
    return tensor.unflatten(source, (size, tensor.shape[source % tensor.dim()] // size))
