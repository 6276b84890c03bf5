"""`TorchDispatchMode`, which intercepts operators below autograd, and subclass helpers."""

import warnings
from typing import Protocol, overload

from minitorch._dispatch import modes as _modes
from minitorch._dispatch.alias_info import AliasInfo, SchemaInfo, get_alias_info
from minitorch._dispatch.decompositions import has_kernel_for_device
from minitorch._dispatch.key_sets import DispatchKey as _DispatchKey
from minitorch._dispatch.mode_stack import enter_mode_of_program
from minitorch._dispatch.mode_stack import push_mode_of_program as _push_mode  # noqa: F401
from minitorch._dispatch.operators import OpOverload, Tag
from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import empty_ as _empty
from minitorch.autograd.python_dispatch import (
    is_without_data,
    reshape_without_data,
    share_memory,
)
from minitorch.core.types import Size
from minitorch.tensors.wrapper_methods import has_torch_dispatch

__all__ = [
    "AliasInfo",
    "SchemaInfo",
    "TensorWithFlatten",
    "TorchDispatchMode",
    "TraceableWrapperSubclass",
    "autograd_would_have_decomposed",
    "get_alias_info",
    "return_and_correct_aliasing",
    "transform_subclass",
]


class TorchDispatchMode:
    """A context manager whose ``__torch_dispatch__`` replaces each operator call, below autograd.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._python_dispatch import TorchDispatchMode
    >>> class Logging(TorchDispatchMode):
    ...     def __torch_dispatch__(self, func, types, args=(), kwargs=None):
    ...         print(func)
    ...         return func(*args, **(kwargs or {}))
    >>> x = torch.ones(2, 3)
    >>> with Logging():
    ...     y = (x @ x.t()).relu()
    aten.t.default
    aten.mm.default
    aten.relu.default
    """

    supports_higher_order_operators = False

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is None:
            return
        if not isinstance(_dispatch_key, _DispatchKey):
            raise AssertionError("_dispatch_key must be a torch._C.DispatchKey")
        self.__dict__["_dispatch_key"] = _dispatch_key

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Compute `func`; implemented by subclasses."""
        raise NotImplementedError

    __enter__ = enter_mode_of_program
    __exit__ = _modes.exit

    @classmethod
    def push(cls, *args, **kwargs):
        """Return an instance; deprecated."""
        warnings.warn(
            "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`",
            stacklevel=2,
        )
        return cls(*args, **kwargs)

    @classmethod
    def is_infra_mode(cls):
        """Return False, since the mode does not belong to a compiler."""
        return False

    @classmethod
    def ignore_compile_internals(cls):
        """Return False, since no compiler makes internal calls."""
        return False


BaseTorchDispatchMode = TorchDispatchMode


def _get_current_dispatch_mode():
    """Return the innermost active mode, or None."""
    entered = _modes.stack()
    return entered[-1] if entered else None


def _get_current_dispatch_mode_stack():
    """Return the active modes, the innermost last."""
    return _modes.stack()


def _len_torch_dispatch_stack():
    """Return the number of active modes."""
    return len(_modes.stack())


def _get_dispatch_stack_at(index):
    """Return the active mode at an index; the outermost has index 0."""
    entered = _modes.stack()
    if not 0 <= index < len(entered):
        raise RuntimeError("Tried to get stack at idx that's too big")
    return entered[index]


def _pop_mode(k=None):
    """Exit the innermost mode and return it."""
    return _modes.pop()


def _pop_mode_temporarily(k=None):
    """Return a context manager that deactivates the innermost mode."""
    return _modes.popped()


def _disable_current_modes():
    """Return a context manager that deactivates all modes."""
    return _modes.none_entered()


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """Return True if a mode is active.

    Without `include_infra_modes`, modes of the compiler are ignored.
    """
    entered = _modes.stack()
    return any(include_infra_modes or not mode.is_infra_mode() for mode in entered)


def is_in_any_mode_without_ignore_compile_internals():
    """Return True if a mode is active that also sees internal calls of the compiler."""
    return any(not mode.ignore_compile_internals() for mode in _modes.stack())


def any_torch_dispatch_mode_on_stack():
    """Return True if a mode is active."""
    return bool(_modes.stack())


class TraceableWrapperSubclass(Protocol):
    """A tensor subclass that exposes the tensors it wraps; see `is_traceable_wrapper_subclass`."""

    def __tensor_flatten__(self):
        """Return the names of the tensor attributes, and other data needed to rebuild it."""

    @staticmethod
    def __tensor_unflatten__(inner_tensors, metadata, outer_size, outer_stride):
        """Build an instance from the inner tensors and the other data."""

    shape: Size

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...

    @overload
    def stride(self, dim: int) -> int: ...

    @overload
    def size(self, dim: None = None) -> tuple[int, ...]: ...

    @overload
    def size(self, dim: int) -> int: ...

    def storage_offset(self) -> int:
        """Return the storage offset."""

    def dim(self) -> int:
        """Return the number of dimensions."""

    @overload
    def to(self, dtype, non_blocking=False, copy=False, *, memory_format=None) -> Tensor: ...

    @overload
    def to(
        self, device=None, dtype=None, non_blocking=False, copy=False, *, memory_format=None
    ) -> Tensor: ...

    @overload
    def to(
        self, other: Tensor, non_blocking=False, copy=False, *, memory_format=None
    ) -> Tensor: ...


TensorWithFlatten = TraceableWrapperSubclass


def autograd_would_have_decomposed(func, flat_args):
    """Return True if a composite operator is decomposed for these arguments.

    Parameters
    ----------
    func : OpOverload
    flat_args : sequence
        The arguments; the first tensor among them determines the device.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._python_dispatch import autograd_would_have_decomposed
    >>> x = torch.ones(2, 2)
    >>> aten = torch.ops.aten
    >>> [autograd_would_have_decomposed(op.default, [x]) for op in (aten.reshape_as, aten.mm)]
    [True, False]
    """
    first = next((a for a in flat_args if isinstance(a, Tensor)), None)
    return first is None or not has_kernel_for_device(func, first.device.type)


def is_traceable_wrapper_subclass_type(t):
    """Return True if a class defines ``__tensor_flatten__`` and ``__tensor_unflatten__``."""
    return (
        isinstance(t, type)
        and issubclass(t, Tensor)
        and t is not Tensor
        and has_torch_dispatch(t)
        and hasattr(t, "__tensor_flatten__")
        and hasattr(t, "__tensor_unflatten__")
    )


def is_traceable_wrapper_subclass(t):
    """Return True if a tensor is of a class that `is_traceable_wrapper_subclass_type` accepts."""
    return isinstance(t, Tensor) and is_traceable_wrapper_subclass_type(type(t))


def transform_subclass(t, callback, outer_size=None, outer_stride=None):
    """Apply ``callback(attribute, inner)`` to each inner tensor and rebuild the subclass.

    Parameters
    ----------
    t : Tensor
        A tensor of a class with ``__tensor_flatten__``.
    callback : callable
    outer_size, outer_stride : sequence of int, optional
        Size and stride of the result; by default those of `t`.
    """
    size = outer_size if outer_size is not None else t.size()
    stride = outer_stride if outer_stride is not None else t.stride()
    attributes, context = t.__tensor_flatten__()
    changed = {name: callback(name, getattr(t, name)) for name in attributes}
    result = type(t).__tensor_unflatten__(changed, context, size, stride)
    assert result.shape == size, (
        f"Expected return value from {type(t)}__tensor_unflatten__() to have shape equal to {size}, but got: "
        f"{result.shape}"
    )
    assert result.stride() == stride, (
        f"Expected return value from {type(t)}__tensor_unflatten__() to have stride equal to {stride}, but got: "
        f"{result.stride()}"
    )
    return result


def _check_view(func, base, views, out):
    """Raise AssertionError if a view of a wrapper subclass has another class than its base."""
    for view in views:
        if type(view) is not type(base) and any(
            is_traceable_wrapper_subclass_type(kind) for kind in (type(base), type(out))
        ):
            raise AssertionError(
                f"Called {func} with input of type {type(base)}\nand output of type {type(out)}. But expected types "
                "to match."
            )
    if not isinstance(out, (list, Tensor)):
        raise AssertionError(f"expected torch.Tensor, got {type(out)}")


def _share_memory(func, given, out):
    """Make each view share the storage of its base."""
    schema = func._schema
    of = {
        name: given[a.name]
        for a in schema.arguments
        if a.alias_info is not None and not a.is_write
        for name in a.alias_info.before_set
    }
    results = out if len(schema.returns) > 1 and isinstance(out, (tuple, list)) else [out]
    for a, result in zip(schema.returns, results, strict=False):
        if a.alias_info is None or a.is_write:
            continue
        base = of.get(min(a.alias_info.before_set, default=None))
        views = result if isinstance(result, list) else [result]
        if isinstance(base, Tensor):
            _check_view(func, base, views, result)
            for view in views:
                share_memory(view, base)


def _change_shape(func, args, kwargs):
    """Give a wrapper the shape that an in-place operator gives it."""
    wrapper = args[0]
    shape, stride, offset = tuple(wrapper.shape), wrapper.stride(), wrapper.storage_offset()
    reach = 1 + offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))
    with _modes.disabled():
        memory = _empty((max(reach, 0),), dtype=wrapper.dtype, device="meta")
        like = func(memory.as_strided(shape, stride, offset), *args[1:], **kwargs)
    reshape_without_data(wrapper, tuple(like.shape), like.stride(), like.storage_offset())


def return_and_correct_aliasing(func, args, kwargs, out):
    """Return the result of a wrapper subclass with the aliasing that the schema specifies.

    A view shares the storage of its base. An in-place or ``out=`` operator returns the argument
    that it modified, with its new shape.

    Parameters
    ----------
    func : OpOverload
    args, kwargs
        The arguments of ``__torch_dispatch__``.
    out : object
        The result, built from inner tensors.
    """
    if not isinstance(func, OpOverload):
        raise AssertionError(f"func must be an OpOverload, got {type(func)}")
    if not isinstance(args, tuple):
        raise AssertionError(f"args must be a tuple, got {type(args)}")
    schema = func._schema
    get_alias_info(func)  # raises for unsupported schemas
    given = schema.bind(args, kwargs or {})
    _share_memory(func, given, out)
    if Tag.inplace_view in func.tags:
        if sum(a.is_write for a in schema.arguments[: len(args)]) != 1:
            raise AssertionError("expected exactly one mutated arg for inplace_view ops")
        if is_without_data(args[0]):
            _change_shape(func, args, kwargs or {})
    if not any(a.is_write for a in schema.returns):
        return out
    written = {}
    for a in schema.arguments:
        for name in a.alias_info.before_set if a.alias_info else ():
            written.setdefault(name, []).append(given[a.name])
    results = []
    for position, a in enumerate(schema.returns):
        one = out[position] if isinstance(out, (tuple, list)) and len(schema.returns) > 1 else out
        if a.is_write:
            candidates = written[min(a.alias_info.before_set)]
            if len(candidates) != 1:
                raise AssertionError(
                    "Expected exactly one argument index for the given output alias"
                )
            (one,) = candidates
        results.append(one)
    return results[0] if len(results) == 1 else type(out)(results)
