"""The graph of a chain of datapipes, as nested dicts."""

import warnings

from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe

__all__ = ["traverse", "traverse_dps"]


def traverse_dps(datapipe):
    """Return the graph of the pipes from which a pipe is built.

    They are found in its attributes and in collections among its attributes.

    Returns
    -------
    dict
        A dict from the id of the pipe to the pipe and the graph of its sources.

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
    """Return `traverse_dps(datapipe)`; deprecated."""
    message = "`traverse` function is deprecated and will be removed after 1.13. Please use `traverse_dps` instead."
    if not only_datapipe:
        message += " And, the behavior will be changed to the equivalent of `only_datapipe=True`."
    warnings.warn(message, FutureWarning, stacklevel=2)
    return traverse_dps(datapipe)


def _graph(pipe, path):
    """Return the graph that ends with `pipe`, without pipes already on the path."""
    if not isinstance(pipe, (IterDataPipe, MapDataPipe)):
        raise RuntimeError(f"Expected `IterDataPipe` or `MapDataPipe`, but {type(pipe)} is found")
    path |= {id(pipe)}
    parts = {}
    for part in _pipes_in(pipe.__dict__):
        if id(part) not in path:
            parts.update(_graph(part, path))
    return {id(pipe): (pipe, parts)}


def _pipes_in(value):
    """Yield the pipes in a nested collection."""
    if isinstance(value, (IterDataPipe, MapDataPipe)):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _pipes_in(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _pipes_in(item)
