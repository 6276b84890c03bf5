"""The ``__torch_function__`` protocol for classes and modes.

minitorch's own functions check for overrides in `autograd/torch_function.pyx`. This module contains
the helpers with which functions of other packages do the same, the modes, and the lists of all
overridable functions.

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

from minitorch._tensor import Tensor
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
from minitorch.tensors.subclass_methods import _nowrap_functions

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
    """Return the full name of an overridable function or an operator, None for anything else.

    Parameters
    ----------
    f : callable
        A function of any type.

    Returns
    -------
    str or None

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.resolve_name(torch.Tensor.shape.__get__)
    'torch.Tensor.shape.__get__'
    """
    # imported here, because `torch.ops` is a tenth of the import of minitorch
    from minitorch._dispatch.operators import OpOverload, OpOverloadPacket

    if isinstance(f, (OpOverload, OpOverloadPacket)):
        return str(f)
    return name_of_function(f)


has_torch_function = _core._has_torch_function
has_torch_function_unary = _core._has_torch_function_unary
has_torch_function_variadic = _core._has_torch_function_variadic
_enable_torch_function = _core._EnableTorchFunction


def wrap_torch_function(dispatcher):
    """Decorate a function so that ``__torch_function__`` can override it.

    Parameters
    ----------
    dispatcher : callable
        Maps the function's arguments to the tuple of those that are checked for overrides.

    Returns
    -------
    callable
        The decorator, for a function with arguments of any type.

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
    """Call a function itself, skipping the override that is running.

    Functions in Python that `func` calls are overridden as usual.

    Parameters
    ----------
    func : callable
        The function.
    types : tuple of type
        The classes of the arguments with overrides.
    args : tuple
    kwargs : dict
        The arguments of `func`.

    Returns
    -------
    object
        The result of `func`.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Mine(torch.Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return torch.overrides.redispatch_function(func, types, args, kwargs or {})
    >>> y = torch.add(torch.ones(1).as_subclass(Mine), 1)
    add
    """
    with skipping_next_function():
        return func(*args, **(kwargs or {}))


def is_tensor_like(inp):
    """Return whether an object is a tensor or its class defines ``__torch_function__``.

    Parameters
    ----------
    inp : object
        An object of any type.

    Returns
    -------
    bool

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
    """Return whether a function is a method of `Tensor` or the getter of an attribute.

    Parameters
    ----------
    func : callable
        A function of any type.

    Returns
    -------
    bool

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
    """Return the functions whose results `Tensor.__torch_function__` does not wrap."""
    return _nowrap_functions()


# ---- modes


class TorchFunctionMode:
    """A context manager whose ``__torch_function__`` handles every call in its block.

    Blocks may be nested: the innermost mode is called first. A mode is disabled while it runs, so
    that the functions it calls go to the next outer mode, and then to the classes of the arguments.
    """

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Compute ``func(*args, **kwargs)``; subclasses implement it.

        Raises
        ------
        NotImplementedError
            If the subclass does not define this method.
        """
        raise NotImplementedError

    __enter__ = enter_function_mode
    __exit__ = exit_function_mode

    @classmethod
    def push(cls, *args, **kwargs):
        """Create a mode of this class; deprecated in favour of ``with Mode():``."""
        warnings.warn(
            "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`",
            stacklevel=2,
        )
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that calls each function unchanged."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Call the function and return its result."""
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
    """Record the operations called inside a ``__torch_dispatch__`` as they are recorded outside.

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
