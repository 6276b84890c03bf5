"""``__torch_function__``: calls that a class takes over from functions written for tensors.

A function asks `has_torch_function` about its arguments, and hands itself to
`handle_torch_function` if one of them is of a class with an override. Functions of minitorch
itself do not ask; packages whose functions do work as with PyTorch.
"""

import functools

from minitorch._tensor import Tensor

__all__ = [
    "TorchFunctionMode",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


def _overrides(cls):
    method = getattr(cls, "__torch_function__", None)
    own = getattr(Tensor, "__torch_function__", None)
    if method is None or method is _disabled:
        return False
    return own is None or getattr(method, "__func__", method) is not getattr(own, "__func__", own)


def _disabled(func, types, args=(), kwargs=None):
    return NotImplemented


def has_torch_function(relevant_args):
    """Whether an argument is of a class that takes calls over."""
    return any(_overrides(type(argument)) for argument in relevant_args)


def has_torch_function_unary(argument):
    """`has_torch_function` of one argument."""
    return _overrides(type(argument))


def has_torch_function_variadic(*relevant_args):
    """`has_torch_function` of several arguments."""
    return has_torch_function(relevant_args)


def _by_class(arguments):
    """The first argument of each class with an override, subclasses ahead of their bases."""
    chosen = []
    for argument in arguments:
        cls = type(argument)
        if not _overrides(cls) or any(type(other) is cls for other in chosen):
            continue
        place = next(
            (i for i, other in enumerate(chosen) if issubclass(cls, type(other))), len(chosen)
        )
        chosen.insert(place, argument)
    return chosen


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """The result of the first override that gives one.

    Raises
    ------
    TypeError
        If all return ``NotImplemented``.
    """
    overloaded = _by_class(relevant_args)
    types = tuple(map(type, overloaded))
    for argument in overloaded:
        result = argument.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    raise TypeError(
        f"no implementation found for '{name}' on types that implement __torch_function__: "
        f"{[type(argument) for argument in overloaded]}"
    )


def wrap_torch_function(dispatcher):
    """Decorate a function so that overrides take it over.

    Parameters
    ----------
    dispatcher : callable
        From the function's arguments to those that matter.
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


class TorchFunctionMode:
    """Take over all calls in a block, which functions of minitorch do not ask for.

    Raises
    ------
    NotImplementedError
        When a block is entered.
    """

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        raise NotImplementedError("torch.overrides.TorchFunctionMode is not part of minitorch")

    def __exit__(self, *error):
        return None


def is_tensor_like(inp):
    """Whether an object is a tensor, or of a class that takes calls over."""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__") or isinstance(inp, Tensor)


def is_tensor_method_or_property(func):
    """Whether a function is a method of `Tensor`, or the getter of an attribute."""
    if getattr(func, "__name__", None) == "__get__":
        return True
    return any(value is func for value in vars(Tensor).values()) or (
        getattr(Tensor, getattr(func, "__name__", ""), None) is func
    )


def resolve_name(f):
    """The full name of a function."""
    if is_tensor_method_or_property(f):
        return f"torch.Tensor.{f.__name__}"
    return f"{getattr(f, '__module__', None) or 'torch'}.{f.__name__}".replace("minitorch", "torch")
