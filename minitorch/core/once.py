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


def warn_once(text, stacklevel=1):
    """Warn if `text` is new.

    Parameters
    ----------
    text : str
    stacklevel : int
        How many functions in Python stand between here and the line that is named; compiled ones do not.
    """
    if _always or text not in _given:
        _given.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)
