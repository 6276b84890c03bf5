"""``torch._C._functorch``: inspection of wrapped tensors, and entering of levels by hand."""

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
    """The kinds of function transforms."""

    Torch = 0
    Vmap = 1
    Grad = 2
    Jvp = 3
    Functionalize = 4


class RandomnessType(Enum):
    """The behaviour of random operators inside `vmap`."""

    Error = 0
    Same = 1
    Different = 2


def _wrapped(tensor):
    special = _special_of(tensor)
    return special if isinstance(special, _Wrapped) else None


# ---- inspecting tensors


def is_functorch_wrapped_tensor(tensor):
    """Return whether a tensor is wrapped by a transform."""
    return _wrapped(tensor) is not None


def is_batchedtensor(tensor):
    """Return whether a tensor is batched by `vmap`."""
    special = _wrapped(tensor)
    return special is not None and special.dim >= 0


def is_gradtrackingtensor(tensor):
    """Return whether a tensor is wrapped by a transform that differentiates."""
    special = _wrapped(tensor)
    return special is not None and special.dim < 0 and special.level.kind != "functionalize"


def is_functionaltensor(tensor):
    """Return whether a tensor is wrapped by `functionalize`."""
    special = _wrapped(tensor)
    return special is not None and special.level.kind == "functionalize"


def is_legacy_batchedtensor(tensor):
    """Return False: PyTorch's first `vmap` does not exist here."""
    return False


def is_dead_tensor_wrapper(tensor):
    """Return whether a tensor is wrapped by a differentiating transform that has ended."""
    return is_gradtrackingtensor(tensor) and not _wrapped(tensor).level.alive


def get_unwrapped(tensor):
    """Return the value of a wrapped tensor one level further out.

    Raises
    ------
    RuntimeError
        If the tensor is not wrapped.
    """
    special = _wrapped(tensor)
    if special is None:
        raise RuntimeError("No wrappers present!")
    return special.value


def maybe_get_level(tensor):
    """Return the number of a tensor's level: -1 without a level, -2 if the level has ended."""
    special = _wrapped(tensor)
    if special is None:
        return -1
    return -2 if is_dead_tensor_wrapper(tensor) else special.level.number


def dlevel(tensor):
    """Return the number of a tensor's differentiation level: 0 for none, -1 if it has ended."""
    if not is_gradtrackingtensor(tensor):
        return 0
    return -1 if is_dead_tensor_wrapper(tensor) else _wrapped(tensor).level.number


def maybe_get_bdim(tensor):
    """Return the batch dimension of the wrapped value; -1 if there is none."""
    special = _wrapped(tensor)
    return -1 if special is None else special.dim


# ---- levels


def get_dynamic_layer_stack_depth():
    """Return the number of levels that this thread has entered."""
    return len(_current_levels())


def maybe_current_level():
    """Return the number of the innermost level, or None outside of all levels."""
    levels = _current_levels()
    return levels[-1].number if levels else None


def current_level():
    """Return the number of the innermost level.

    Raises
    ------
    RuntimeError
        Outside of all levels.
    """
    number = maybe_current_level()
    if number is None:
        raise RuntimeError("maybe_layer.has_value() INTERNAL ASSERT FAILED")
    return number


def _level(number):
    """Return the level with a given number; `vmap` passes the level itself."""
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


# ---- settings


class _Switches(threading.local):
    inplace_requires_grad = single_level_function = False


_switches = _Switches()


def set_inplace_requires_grad_allowed(allowed):
    """Set whether ``requires_grad_`` may be called in a transform; the setting has no effect."""
    _switches.inplace_requires_grad = allowed


def get_inplace_requires_grad_allowed():
    """Return the value set by `set_inplace_requires_grad_allowed`."""
    return _switches.inplace_requires_grad


def set_single_level_autograd_function_allowed(allowed):
    """Set whether a `Function` may be applied at one level; the setting has no effect."""
    _switches.single_level_function = allowed


def get_single_level_autograd_function_allowed():
    """Return the value set by `set_single_level_autograd_function_allowed`."""
    return _switches.single_level_function


def _set_vmap_fallback_enabled(enabled):
    _fallback.enabled = bool(enabled)


def _is_vmap_fallback_enabled():
    return _fallback.enabled


def _set_vmap_fallback_warning_enabled(enabled):
    _fallback.warns = bool(enabled)


# ---- dimensions


def reshape_dim_into(source, target, tensor):
    """Merge dimension `source` into dimension `target` of the rest, in front of it."""
    moved = tensor.movedim(source, target % (tensor.dim() - 1))
    return moved.flatten(target % (tensor.dim() - 1), target % (tensor.dim() - 1) + 1)


def reshape_dim_outof(source, size, tensor):
    """Split dimension `source` into one of the given size and the rest."""
    return tensor.unflatten(source, (size, tensor.shape[source % tensor.dim()] // size))
