"""``__torch_function__``: what classes and modes need that take calls over.

The functions of minitorch look for overrides by themselves (`autograd/torch_function.pyx`). Here stand what
functions of other packages do the same with, the modes, and the lists of all functions that can be taken over.

Examples
--------
>>> import minitorch as torch
>>> class Counting(torch.overrides.TorchFunctionMode):
...     calls = 0
...     def __torch_function__(self, func, types, args=(), kwargs=None):
...         self.calls += 1
...         return func(*args, **(kwargs or {}))
>>> with Counting() as mode:
...     x = torch.ones(2) * 3
>>> mode.calls
2
"""

import functools
import warnings

from minitorch._dispatch.operators import OpOverload, OpOverloadPacket
from minitorch._tensor import Tensor, _nowrap_functions
from minitorch.autograd import torch_function as _core
from minitorch.autograd.grad_mode import _recording_as_shown
from minitorch.autograd.torch_function import (  # noqa: F401
    _get_function_stack_at,
    _get_overloaded_args,
    _is_torch_function_mode_enabled,
    _len_torch_function_stack,
    _pop_torch_function_stack,
    _push_on_torch_function_stack,
    _set_skip_next_torch_function,
    enter_function_mode,
    exit_function_mode,
    function_mode_popped,
    handle_torch_function,
    skipping_next_function,
)
from minitorch.core.context import contextmanager
from minitorch.namespace.overridable_functions import (
    get_ignored_functions,
    get_overridable_functions,
    get_testing_overrides,
    name_of_function,
)

__all__ = [
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "resolve_name",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "wrap_torch_function",
    "redispatch_function",
]


def resolve_name(f):
    """The full name of a function that can be taken over, or of an operator; None for others.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.resolve_name(torch.Tensor.shape.__get__)
    'torch.Tensor.shape.__get__'
    """
    if isinstance(f, (OpOverload, OpOverloadPacket)):
        return str(f)
    return name_of_function(f)


has_torch_function = _core._has_torch_function
has_torch_function_unary = _core._has_torch_function_unary
has_torch_function_variadic = _core._has_torch_function_variadic
_enable_torch_function = _core._EnableTorchFunction


def wrap_torch_function(dispatcher):
    """Decorate a function so that overrides take it over.

    Parameters
    ----------
    dispatcher : callable
        From the function's arguments to the tuple of those that matter.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.overrides.wrap_torch_function(lambda a: (a,))
    ... def double(a):
    ...     return a + a
    >>> double(torch.ones(1))
    tensor([2.])
    """

    def decorate(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return decorate


def redispatch_function(func, types, args, kwargs):
    """Call a function itself, past the override that was asked just now.

    What the function calls in turn is taken over as usual, if it is written in Python.

    Parameters
    ----------
    func, types, args, kwargs
        What ``__torch_function__`` was given.
    """
    with skipping_next_function():
        return func(*args, **(kwargs or {}))


def is_tensor_like(inp):
    """Whether an object is a tensor, or of a class that takes calls over.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.is_tensor_like(torch.ones(1)), torch.overrides.is_tensor_like(1)
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


@functools.cache
def _get_tensor_methods():
    return set(get_overridable_functions()[Tensor])


def is_tensor_method_or_property(func):
    """Whether a function is a method of `Tensor`, or the getter of an attribute.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.add)
    True
    >>> torch.overrides.is_tensor_method_or_property(torch.add)
    False
    """
    return func in _get_tensor_methods() or func.__name__ == "__get__"


def get_default_nowrap_functions():
    """The functions whose results `Tensor.__torch_function__` hands out as they are."""
    return _nowrap_functions()


# ---- modes


class TorchFunctionMode:
    """An object whose ``__torch_function__`` takes over every call in a block.

    Blocks may be nested: the innermost mode is asked. While it runs, it is off, so that the functions it calls
    go to the next one further out, and then to the classes of the arguments.
    """

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Compute ``func(*args, **kwargs)``; a mode has to say how.

        Raises
        ------
        NotImplementedError
            Unless a subclass says it.
        """
        raise NotImplementedError

    __enter__ = enter_function_mode
    __exit__ = exit_function_mode

    @classmethod
    def push(cls, *args, **kwargs):
        """A mode of this class: from the time before ``with Mode():``, deprecated."""
        warnings.warn(
            "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`",
            stacklevel=2,
        )
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that calls the functions as they are."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """The function's own result."""
        return func(*args, **(kwargs or {}))


def _push_mode(mode):
    _push_on_torch_function_stack(mode)


def _pop_mode():
    return _pop_torch_function_stack()


_pop_mode_temporarily = function_mode_popped


def _get_current_function_mode():
    depth = _len_torch_function_stack()
    return _get_function_stack_at(depth - 1) if depth else None


def _get_current_function_mode_stack():
    return [_get_function_stack_at(k) for k in range(_len_torch_function_stack())]


@contextmanager
def enable_reentrant_dispatch():
    """Inside a ``__torch_dispatch__``: what is called is recorded as it is outside.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._python_dispatch import TorchDispatchMode
    >>> class Recording(TorchDispatchMode):
    ...     def __torch_dispatch__(self, func, types, args=(), kwargs=None):
    ...         with torch.overrides.enable_reentrant_dispatch():
    ...             print(func, torch.is_grad_enabled())
    ...         return func(*args, **(kwargs or {}))
    >>> x = torch.ones(2)
    >>> with Recording():
    ...     y = x.sin()
    aten.sin.default True
    """
    with _recording_as_shown():
        yield
