"""Exclusion of functions from compilation, which has no effect."""

__all__ = ["_disable_dynamo"]


def _disable_dynamo(fn=None, recursive=True):
    """Return the function unchanged, or a decorator that does so."""
    return _disable_dynamo if fn is None else fn
