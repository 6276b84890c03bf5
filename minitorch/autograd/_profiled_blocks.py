"""`named_block`: how minitorch's own Python names what it does, where a profile listens."""

from contextlib import nullcontext

_make = None  # from a name to the block; None while nothing is profiled
_nothing = nullcontext()


def listen(make):
    """Have blocks made by this function; None: by nobody."""
    global _make
    _make = make


def named_block(name):
    """A block with a name in the profile that runs.

    Examples
    --------
    >>> from minitorch.autograd._profiled_blocks import named_block
    >>> with named_block("reading"):
    ...     line = "text"
    """
    return _nothing if _make is None else _make(name)
