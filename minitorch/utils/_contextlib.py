"""Context managers that work as decorators, in PyTorch's module."""

import inspect

from minitorch.core.decorator import DecoratorContextManager as _DecoratorContextManager

__all__ = ["_DecoratorContextManager", "_NoParamDecoratorContextManager", "context_decorator"]


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """A context manager that decorates without being called."""

    def __new__(cls, orig_func=None):
        self = super().__new__(cls)
        return self if orig_func is None else self(orig_func)


class _Made(_DecoratorContextManager):
    """A decorator that creates a context manager for each call."""

    def __init__(self, make):
        self.clone = make


def context_decorator(ctx, func):
    """Return a function that runs in a context; a generator enters it at each step.

    Parameters
    ----------
    ctx : context manager or callable
        A reusable context manager, or a function that returns one.
    func : callable

    Raises
    ------
    AssertionError
        If `ctx` is both.
    RuntimeError
        If `func` is a class.
    """
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"Passed in {ctx} is both callable and also a valid context manager "
            "(has __enter__), making it ambiguous which interface to use.  If you "
            "intended to pass a context manager factory, rewrite your call as "
            "context_decorator(lambda: ctx()); if you intended to pass a context "
            "manager directly, rewrite your call as context_decorator(lambda: ctx)"
        )
    if inspect.isclass(func):
        raise RuntimeError(
            "Cannot decorate classes; it is ambiguous whether or not only the "
            "constructor or all methods should have the context manager applied; "
            "additionally, decorating a class at definition-site will prevent "
            "use of the identifier as a conventional type.  "
            "To specify which methods to decorate, decorate each of them "
            "individually."
        )
    return _Made(ctx if callable(ctx) else lambda: ctx)(func)
