"""The graph of a chain of pipes: what each is made of, in nested dictionaries."""

import warnings

from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe

__all__ = ["traverse", "traverse_dps"]


def traverse_dps(datapipe):
    """The pipes that a pipe has as attributes, or in collections that are its attributes, and theirs.

    Returns
    -------
    dict
        From the pipe's id to itself and the graph of what it is made of.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> from minitorch.utils.data.graph import traverse_dps
    >>> numbers = IterableWrapper(range(4))
    >>> pairs = numbers.batch(2)
    >>> traverse_dps(pairs) == {id(pairs): (pairs, {id(numbers): (numbers, {})})}
    True
    """
    return _graph(datapipe, frozenset())


def traverse(datapipe, only_datapipe=None):
    """`traverse_dps` by its old name; deprecated."""
    message = "`traverse` function is deprecated and will be removed after 1.13. Please use `traverse_dps` instead."
    if not only_datapipe:
        message += " And, the behavior will be changed to the equivalent of `only_datapipe=True`."
    warnings.warn(message, FutureWarning, stacklevel=2)
    return traverse_dps(datapipe)


def _graph(pipe, path):
    """The graph that ends with `pipe`, without what is on the way to it."""
    if not isinstance(pipe, (IterDataPipe, MapDataPipe)):
        raise RuntimeError(f"Expected `IterDataPipe` or `MapDataPipe`, but {type(pipe)} is found")
    path |= {id(pipe)}
    parts = {}
    for part in _pipes_in(pipe.__dict__):
        if id(part) not in path:
            parts.update(_graph(part, path))
    return {id(pipe): (pipe, parts)}


def _pipes_in(value):
    """The pipes in a collection, none of which is a part of another."""
    if isinstance(value, (IterDataPipe, MapDataPipe)):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _pipes_in(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _pipes_in(item)
