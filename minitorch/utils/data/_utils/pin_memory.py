"""Pinned memory for the tensors of a batch, for use in a custom `collate_fn`."""

from collections.abc import Mapping, Sequence

from minitorch._tensor import Tensor

__all__ = ["pin_memory"]


def pin_memory(data, device=None):
    """Call ``pin_memory()`` on everything in a structure that has it.

    Parameters
    ----------
    data : object
        A tensor, an object with a method ``pin_memory``, or mappings and sequences of them.
    device : optional
        Passed to the method.

    Raises
    ------
    RuntimeError
        For a tensor, since there is no accelerator.

    Examples
    --------
    >>> from minitorch.utils.data._utils.pin_memory import pin_memory
    >>> pin_memory({"name": "x", "sizes": (1, [2])})
    {'name': 'x', 'sizes': (1, [2])}
    """
    if isinstance(data, Tensor):
        return data.pin_memory(device)
    if hasattr(data, "pin_memory"):
        return data.pin_memory() if device is None else data.pin_memory(device)
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        pinned = {key: pin_memory(item, device) for key, item in data.items()}
        return _as_its_class(data, pinned)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin_memory(item, device) for item in data))
    if isinstance(data, tuple):
        return tuple(pin_memory(item, device) for item in data)
    if isinstance(data, Sequence):
        return _as_its_class(data, [pin_memory(item, device) for item in data])
    return data


def _as_its_class(data, pinned):
    """Convert `pinned` to the class of `data`, or return it unchanged if that fails."""
    try:
        return type(data)(pinned)
    except TypeError:
        return pinned
