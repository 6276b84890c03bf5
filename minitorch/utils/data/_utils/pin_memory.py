"""The tensors of a batch in pinned memory: what a custom `collate_fn` may ask for itself."""

from collections.abc import Mapping, Sequence

from minitorch._tensor import Tensor

__all__ = ["pin_memory"]


def pin_memory(data, device=None):
    """The same structure, with ``pin_memory()`` of everything that has it.

    Parameters
    ----------
    data : object
        A tensor, an object with a method ``pin_memory``, or mappings and sequences of them.
    device : optional
        Handed on.

    Raises
    ------
    RuntimeError
        For a tensor: there is no accelerator that memory could be pinned for.

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
    """An instance of the class of `data`, or the plain one where that cannot be made of it."""
    try:
        return type(data)(pinned)
    except TypeError:
        return pinned
