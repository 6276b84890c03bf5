"""Warnings that are given once per process, or each time if the program wants that."""

import sys
import warnings

__all__ = ["is_warn_always_enabled", "line_outside", "set_warn_always", "warn_once"]

# the folder of the package, with the separator; `pathlib` would take too long to import
_PACKAGE = __file__.removesuffix("once.py")[: -len("core/")]
_given: set[str] = set()
_always = False


def set_warn_always(b):
    """Set whether warnings that are normally given once are given each time.

    Parameters
    ----------
    b : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    >>> torch.set_warn_always(False)
    """
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always = b


def is_warn_always_enabled():
    """Return the flag that `set_warn_always` sets.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_warn_always_enabled()
    False
    """
    return _always


def line_outside():
    """Return the `stacklevel` at which a warning names the innermost line outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def warn_once(text, stacklevel=None, kind=None):
    """Warn if `text` is new.

    Parameters
    ----------
    text : str
    stacklevel : int, optional
        The number of Python functions between this one and the line that the warning names.
        Compiled functions do not count. Default: the innermost line outside of this package.
    kind : str, optional
        The key that must be new instead of `text`, for a warning whose text varies.
    """
    kind = text if kind is None else kind
    if _always or kind not in _given:
        _given.add(kind)
        level = line_outside() if stacklevel is None else stacklevel + 1
        warnings.warn(text, UserWarning, stacklevel=level)
