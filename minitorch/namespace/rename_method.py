"""Copies of inherited methods that are named after the class.

Some classes share a method here that each defines itself in PyTorch. The copy makes errors name the
class: ``Conv2d.forward() missing 1 required positional argument: 'input'``.
"""

from types import FunctionType


def own_method(cls, method):
    """Return a copy of a function that is named as a method of a class.

    Parameters
    ----------
    cls : type
    method : function

    Returns
    -------
    function
    """
    own = FunctionType(
        method.__code__,
        method.__globals__,
        method.__name__,
        method.__defaults__,
        method.__closure__,
    )
    own.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
    own.__doc__, own.__module__ = method.__doc__, method.__module__
    return own
