"""Names and docstrings for the functions that transforms return."""

import functools

from minitorch.autograd.functions.overridable import OverridableFunction

_NO_DOCSTRING = tuple(name for name in functools.WRAPPER_ASSIGNMENTS if name != "__doc__")


def wraps(func):
    """Return `functools.wraps(func)`, but leave out the docstring of an operator.

    That docstring is made when it is read, which would take longer than the transform.
    """
    if isinstance(func, OverridableFunction):
        return functools.wraps(func, assigned=_NO_DOCSTRING)
    return functools.wraps(func)
