"""Type checks of an operator's arguments, by the rules of PyTorch's argument parser."""

from minitorch._tensor import Tensor
from minitorch.core import types as _types
from minitorch.core.dtype import dtype

_NUMBER = (int, float, complex)
_TYPES = {
    "Tensor": Tensor,
    "int": int,
    "SymInt": int,
    "bool": bool,
    "str": str,
    "Dimname": str,
    "float": (int, float),
    "Scalar": _NUMBER,
    "ScalarType": dtype,
    "MemoryFormat": _types.memory_format,
    "Layout": _types.layout,
    "Device": (_types.device, str, int),
}


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
        return _is_of(argument.kind, value, numbers_as_tensors)
    if isinstance(value, (list, tuple)):
        return all(
            argument.items_optional if item is None else _is_of(argument.kind, item, False)
            for item in value
        )
    # a single number is accepted for a list of fixed length
    return argument.length > 0 and _is_of(argument.kind, value, False)


def _is_of(kind, value, numbers_as_tensors):
    if kind == "Tensor" and numbers_as_tensors and isinstance(value, _NUMBER):
        return True
    if isinstance(value, bool) and kind in ("int", "SymInt", "float"):
        return False
    return isinstance(value, _TYPES.get(kind, object))
