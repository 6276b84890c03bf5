"""Inherited methods that bear the name of the class that has them.

Where classes share a method here and each has its own in PyTorch, a mistake in a call is told with
the name of the class: ``Conv2d.forward() missing 1 required positional argument: 'input'``.
"""

from types import FunctionType


def own_method(cls, method):
    """A copy of a function that is named as a method of a class.

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
