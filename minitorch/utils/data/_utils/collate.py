"""Collation: build a tensor, or a container of tensors, from the samples of a batch."""

import copy
import re
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from importlib import import_module

import numpy

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import as_tensor, tensor
from minitorch.core.dtype import _dtypes
from minitorch.core.types import strided

np_str_obj_array_pattern = re.compile(r"[SaUO]")
default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def _mapping_like(mapping, values):
    """Return a mapping of the same type with other values, or a dict if that fails."""
    try:
        if not isinstance(mapping, MutableMapping):
            return type(mapping)(values)
        # a copy keeps attributes other than the items
        result = copy.copy(mapping)
        result.update(values)
        return result
    except TypeError:
        return dict(values)


def _sequence_like(sequence, values):
    """Return a sequence of the same type with other elements, or a list if that fails."""
    try:
        if not isinstance(sequence, MutableSequence):
            return type(sequence)(values)
        result = copy.copy(sequence)
        for index, value in enumerate(values):
            result[index] = value
        return result
    except TypeError:
        return list(values)


def default_convert(data):
    """Convert NumPy arrays and NumPy numbers in a sample to tensors; Python numbers stay as they are.

    Parameters
    ----------
    data : object
        An array or number, or nested containers of them.

    Returns
    -------
    object
        The same containers with tensors; tuples become lists, except named tuples.

    Examples
    --------
    >>> import numpy
    >>> import minitorch as torch
    >>> torch.utils.data.default_convert({"x": numpy.arange(2), "y": 1})
    {'x': tensor([0, 1]), 'y': 1}
    """
    if isinstance(data, Tensor):
        return data
    if type(data).__module__ == "numpy" and type(data).__name__ not in ("str_", "string_"):
        if isinstance(data, numpy.ndarray) and np_str_obj_array_pattern.search(data.dtype.str):
            return data
        return as_tensor(data)
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(part) for part in data))
    if isinstance(data, tuple):
        return [default_convert(part) for part in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _sequence_like(data, [default_convert(part) for part in data])
    return data


def collate(batch, *, collate_fn_map=None):
    """Collate the samples of a batch with a function for each element type.

    Parameters
    ----------
    batch : list
        The samples, all with the structure of the first.
    collate_fn_map : dict, optional
        A dict from types, or tuples of types, to functions ``f(batch, *, collate_fn_map)``.

    Raises
    ------
    TypeError
        For a type that has no function and is not a container.
    RuntimeError
        For lists of different lengths.
    """
    element = batch[0]
    functions = collate_fn_map or {}
    if type(element) in functions:
        return functions[type(element)](batch, collate_fn_map=collate_fn_map)
    for types, function in functions.items():
        if isinstance(element, types):
            return function(batch, collate_fn_map=collate_fn_map)

    def together(samples):
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(element, Mapping):
        return _mapping_like(element, {key: together([d[key] for d in batch]) for key in element})
    if isinstance(element, tuple) and hasattr(element, "_fields"):
        return type(element)(*map(together, zip(*batch, strict=False)))
    if isinstance(element, Sequence):
        if any(len(sample) != len(element) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = [together(column) for column in zip(*batch, strict=True)]
        return columns if isinstance(element, tuple) else _sequence_like(element, columns)
    raise TypeError(default_collate_err_msg_format.format(type(element)))


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Stack tensors."""
    if batch[0].layout is not strided:
        raise RuntimeError(
            "Batches of sparse tensors are not currently supported by the default collate_fn; please "
            "provide a custom collate_fn to handle them appropriately."
        )
    # the public function, which a subclass of Tensor may override
    return import_module("minitorch").stack(batch, 0)


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    """Convert arrays to tensors and stack them."""
    if np_str_obj_array_pattern.search(batch[0].dtype.str):
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map=None):
    """Convert NumPy numbers to a tensor."""
    return as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map=None):
    """Convert Python floats to a float64 tensor."""
    return tensor(batch, dtype=_dtypes()["float64"])


def collate_int_fn(batch, *, collate_fn_map=None):
    """Convert Python integers and bools to a tensor."""
    return tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """Return strings unchanged."""
    return batch


default_collate_fn_map = {
    Tensor: collate_tensor_fn,
    numpy.ndarray: collate_numpy_array_fn,
    (numpy.bool_, numpy.number, numpy.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch):
    """Collate the samples of a batch; the default of `DataLoader`.

    Tensors, arrays and numbers become a tensor with a new first dimension. Containers become
    containers of collated elements. Strings and bytes are not converted.

    Parameters
    ----------
    batch : list

    Returns
    -------
    Tensor or container
        int64 and float64 tensors for Python's numbers; the dtype of the samples otherwise.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.data.default_collate([(1, {"x": 2.0}), (3, {"x": 4.0})])
    [tensor([1, 3]), {'x': tensor([2., 4.], dtype=torch.float64)}]
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
