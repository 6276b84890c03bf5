"""Type checks and conversion of arguments for calls through ``torch.ops``.

PyTorch has a parser of its own for these calls, and so other rules than for its functions
(`argument_types.py`): an integer fits a bool, a set fits a list, and NumPy's integers fit no Scalar.
"""

from minitorch._tensor import Tensor
from minitorch.core import types as _types
from minitorch.core.dtype import dtype
from minitorch.core.generator import Generator

__all__ = ["WRONG", "converted", "not_convertible", "wrong_type"]

WRONG = object()

# kind of argument -> its Python type, and the method a value needs to be converted to it
_NUMBERS = {
    "bool": (bool, "__bool__"),
    "float": (float, "__float__"),
    "int": (int, "__index__"),
    "SymInt": (int, "__index__"),
}
_SEQUENCES = (list, tuple, range, set, frozenset)
_NUMBER_TYPES = (int, float, complex)
_TYPES = {
    "str": str,
    "Scalar": _NUMBER_TYPES,
    "Device": (_types.device, str),
    "ScalarType": (dtype, int),
    "MemoryFormat": (_types.memory_format, int),
    "Layout": (_types.layout, int),
    "Generator": Generator,
}


def converted(a, value, numbers_are_tensors=False):
    """Return the value of an argument as passed to the kernel, or `WRONG` if its type is wrong.

    Parameters
    ----------
    a : Argument
    value : object
    numbers_are_tensors : bool
        Whether a tensor argument accepts a number, as it does for PyTorch's own operators.
    """
    if a.is_list:
        if a.length and not isinstance(value, (list, tuple)):
            value = (value,) * a.length
        if not isinstance(value, _SEQUENCES):
            return WRONG
        items = [None if item is None else _single(a.kind, item) for item in value]
        return WRONG if any(item is WRONG for item in items) else items
    if numbers_are_tensors and a.kind == "Tensor" and isinstance(value, _NUMBER_TYPES):
        return value
    return _single(a.kind, value)


def _single(kind, value):
    if kind == "Tensor":
        return value if isinstance(value, Tensor) else WRONG
    if kind in _NUMBERS:
        number, method = _NUMBERS[kind]
        return _number(number, value) if hasattr(type(value), method) else WRONG
    return value if kind not in _TYPES or isinstance(value, _TYPES[kind]) else WRONG


def _number(number, value):
    if isinstance(value, Tensor) and value.numel() != 1:
        return WRONG
    try:
        return number(value)
    except (RuntimeError, TypeError):  # raised for complex numbers
        return WRONG


def wrong_type(overload, position, value):
    """Return the error for a call whose argument at `position` has the wrong type."""
    a = overload._schema.arguments[position]
    items = value if a.is_list and isinstance(value, (list, tuple)) else ()
    if a.kind == "Tensor" and (not a.is_list or a.items_optional and items):
        wrong = next((x for x in items if x is not None and not isinstance(x, Tensor)), value)
        detail = f"Unable to cast {wrong!s} to Tensor"
    elif a.kind == "Scalar" and not a.is_list:
        detail = f"Cannot cast {value!s} to number"
    else:
        detail = not_convertible(value)
    return RuntimeError(
        f"{overload._schema.name}() Expected a value of type '{a.type}' for argument '{a.name}' but instead found "
        f"type '{type(value).__name__}'.\nPosition: {position}\nValue: {value!r}\n"
        f"Declaration: {overload._schema}\nCast error details: {detail}"
    )


def not_convertible(value):
    """Return the message about a value that cannot be converted to its C++ type."""
    return (
        f"Unable to cast Python instance of type {type(value)} to C++ type '?' (#define "
        "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
    )
