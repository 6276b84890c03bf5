"""The `annotate` function, which adds a type to a value of the program."""

from minitorch.fx.proxy import Proxy

__all__ = ["annotate"]


def annotate(val, type):
    """Return `val`; during tracing, also set the type of its node.

    Raises
    ------
    RuntimeError
        If the node already has a type.

    Examples
    --------
    >>> from minitorch.fx.annotate import annotate
    >>> annotate(3, int)
    3
    """
    if isinstance(val, Proxy):
        if val.node.type:
            raise RuntimeError(
                "Tried to annotate a value that already had a type on it! Existing type is "
                f"{val.node.type} and new type is {type}. This could happen if you tried to "
                "annotate a function parameter value (in which case you should use the type slot "
                "on the function signature) or you called annotate on the same value twice"
            )
        val.node.type = type
    return val
