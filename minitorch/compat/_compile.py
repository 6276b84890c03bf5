"""Keeping the compiler away from a function: there is none."""

__all__ = ["_disable_dynamo"]


def _disable_dynamo(fn=None, recursive=True):
    """The function itself, or without one a decorator that gives it."""
    return _disable_dynamo if fn is None else fn
