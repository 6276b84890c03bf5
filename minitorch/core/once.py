"""Warnings that are given once per process, or each time if the program wants that."""

import warnings

__all__ = ["is_warn_always_enabled", "set_warn_always", "warn_once"]

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


def warn_once(text, stacklevel=1, kind=None):
    """Warn if `text` is new.

    Parameters
    ----------
    text : str
    stacklevel : int
        The number of Python functions between this one and the line that the warning names.
        Compiled functions do not count.
    kind : str, optional
        The key that must be new instead of `text`, for a warning whose text varies.
    """
    kind = text if kind is None else kind
    if _always or kind not in _given:
        _given.add(kind)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)
