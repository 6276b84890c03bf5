"""Nested state dicts as flat ones: ``{"a": {"b": 1}}`` is ``{"a.b": 1}``."""

from minitorch._tensor import Tensor

__all__ = ["flatten_state_dict", "set_element"]


def _is_inner(value):
    """Return whether a value is divided further: a dict, or a list with a tensor or a dict in it."""
    if isinstance(value, dict):
        return bool(value)
    if isinstance(value, list):
        return any(isinstance(item, Tensor) or _is_inner(item) for item in value)
    return False


def flatten_state_dict(state_dict):
    """Return ``{name: value}`` and ``{name: path}`` for all values inside of a nested dict.

    Parameters
    ----------
    state_dict : dict

    Returns
    -------
    tuple of dict
        A path is the tuple of keys that lead to the value.

    Raises
    ------
    ValueError
        If two paths have the same name.

    Examples
    --------
    >>> flatten_state_dict({"a": {"b": 1, 2: [3]}})[0]
    {'a.b': 1, 'a.2': [3]}
    """
    values, paths = {}, {}
    waiting = [((), state_dict)]
    while waiting:
        path, inner = waiting.pop()
        items = inner.items() if isinstance(inner, dict) else enumerate(inner)
        below = []
        for key, value in items:
            place = (*path, key)
            if _is_inner(value):
                below.append((place, value))
                continue
            name = ".".join(map(str, place))
            if name in values:
                raise ValueError(f"duplicate key in the state dict: {name}")
            values[name], paths[name] = value, place
        waiting += reversed(below)
    return values, paths


def set_element(state_dict, path, value):
    """Replace the value at a path of a nested dict.

    Examples
    --------
    >>> state = {"a": [1, 2]}
    >>> set_element(state, ("a", 1), 3)
    >>> state
    {'a': [1, 3]}
    """
    for key in path[:-1]:
        state_dict = state_dict[key]
    state_dict[path[-1]] = value
