"""Warnings that are given once in the life of a process, unless a program wants them each time."""

import warnings

__all__ = ["is_warn_always_enabled", "set_warn_always", "warn_once"]

_given: set[str] = set()
_always = False


def set_warn_always(b):
    """Whether warnings that are given once are given each time.

    Parameters
    ----------
    b : bool
    """
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always = b


def is_warn_always_enabled():
    """What `set_warn_always` was given."""
    return _always


def warn_once(text, stacklevel=1, kind=None):
    """Warn if `text` is new.

    Parameters
    ----------
    text : str
    stacklevel : int
        How many functions in Python stand between here and the line that is named; compiled ones do not.
    kind : str, optional
        What must be new instead, for warnings that are given once whatever they say.
    """
    kind = text if kind is None else kind
    if _always or kind not in _given:
        _given.add(kind)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)
