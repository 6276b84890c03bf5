"""Type checks of an operator's arguments, by the rules of PyTorch's argument parser.

`minitorch/parsing/values.py` decides whether a single value fits a type and converts it. This
module adds what a schema says beyond the type: lists, None and defaults.
"""

from minitorch._tensor import Tensor
from minitorch.parsing.values import fits, is_scalar, unpack_value

# types of schemas that have another name in signatures
_NAMES = {"int": "int64_t", "float": "double", "str": "std::string"}


def takes(argument, value, numbers_as_tensors=False):
    """Return whether a value has the type of an `Argument`.

    With `numbers_as_tensors`, an argument that is a single tensor accepts a number too.
    """
    if value is None:
        may_be_none = argument.has_default_value() and argument.default_value is None
        return argument.is_optional or may_be_none
    if argument.has_default_value() and value is argument.default_value:
        return True
    if not argument.is_list:
        return _fits(argument.kind, value, numbers_as_tensors)
    if isinstance(value, (list, tuple)):
        return all(
            argument.items_optional if item is None else _fits(argument.kind, item, False)
            for item in value
        )
    # a single number is accepted for a list of fixed length
    return argument.length > 0 and _fits(argument.kind, value, False)


def _fits(kind, value, numbers_as_tensors):
    if isinstance(value, Tensor):
        # the parser accepts a tensor for a number, but after the overload that takes tensors
        return kind == "Tensor"
    if kind == "Tensor":
        return numbers_as_tensors and is_scalar(value)
    return fits(_NAMES.get(kind, kind), value)


def unpacked(argument, value):
    """Return a value that an argument takes as the operator gets it, with lists for tuples."""
    if value is None or value is argument.default_value:
        return value
    name = _NAMES.get(argument.kind, argument.kind)
    if not isinstance(value, (list, tuple)):
        return unpack_value(name, value)
    return [None if item is None else unpack_value(name, item) for item in value]
