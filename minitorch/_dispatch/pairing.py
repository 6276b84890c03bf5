"""Conversion between the arguments of a PyTorch overload and the parameters of a row.

Each pair is analysed once and cached: while a mode is active, every call is converted both ways.
"""

import functools

from minitorch._tensor import Tensor
from minitorch.autograd.operators import as_number, number_tensor
from minitorch.autograd.variable import TensorBase
from minitorch.core import dtype as _dtypes
from minitorch.core import types as _types

_NO_TYPE = 16  # NoType in core/dtype.pxd
_NUMBER_TYPES = (int, float, complex, bool)
_FORMATS = {
    f._code: f for f in (_types.contiguous_format, _types.channels_last, _types.channels_last_3d)
}
_UNGIVEN = {"None": None, "True": True, "False": False}
_NAMES = {"self": "input", "input": "self", "from": "from_", "src": "other", "grad": "grad_output"}

# parameters of rows that are computed from the others
IMPLIED = {"diag_embed": ("sizes",)}


@functools.cache
def pairing(overload, operator):
    """Return the cached `Pairing` of an overload and an operator."""
    return Pairing(overload._schema, operator)


class Pairing:
    """Map between the arguments of a schema and the parameters of a row's operator."""

    def __init__(self, schema, operator):
        names = _names(schema, operator)
        places = {p[0]: place for place, p in enumerate(operator.parameters)}
        # (argument, whether it must not be None, position and type of its parameter or None)
        self.arguments = []
        for a in schema.arguments:
            place = places.get(names[a.name])
            kind = None if place is None else operator.parameters[place][1]
            needed = not a.is_optional and not a.has_default_value() and a.kind != "Generator"
            self.arguments.append((a, needed, place, kind))
        said = {*names.values(), *IMPLIED.get(operator.name, ())}
        # (position, default) of the parameters that the overload has no argument for
        self.unsaid = [
            (places[p[0]], _default_of(p)) for p in operator.parameters if p[0] not in said
        ]
        by_parameter = {names[a.name]: a for a in schema.arguments}
        # (argument or None, type of the parameter, its default, whether None means that default)
        self.parameters = []
        for p in operator.parameters:
            a = by_parameter.get(p[0])
            defaulted = (
                a is not None
                and p[2] is not None
                and not a.kind.startswith(("Tensor", "Generator"))
                and p[1] != "MemoryFormat"
            )
            self.parameters.append((a, p[1], _default_of(p), defaulted))

    def fits(self, given):
        """Return whether the overload can express these arguments of the row."""
        for place, default in self.unsaid:
            if given[place] != default:
                return False
        for a, needed, place, _ in self.arguments:
            value = None if place is None else given[place]
            if value is None:
                if needed:
                    return False
            elif a.kind == "Scalar":
                if isinstance(value, TensorBase) and as_number(value) is value:
                    return False
            elif a.kind == "int" and not a.is_list and isinstance(value, (tuple, list)):
                if len(value) != 1:
                    return False
        return True

    def shown(self, given):
        """Convert the row's arguments to the overload's, by name."""
        return {
            a.name: a.default_value if place is None else _shown(a, kind, given[place])
            for a, _, place, kind in self.arguments
        }

    def given(self, values):
        """Convert the overload's arguments, by name, to the row's."""
        found = []
        for a, kind, default, defaulted in self.parameters:
            value = default if a is None else values[a.name]
            if a is None or (defaulted and value is None):
                found.append(default)
            elif kind == "Tensor" and type(value) is Tensor:
                found.append(value)
            else:
                found.append(_given(a, kind, value))
        return found


def _names(schema, operator):
    """Return a map from names of the schema's arguments to names of the row's parameters."""
    taken = {name for name, _, _ in operator.parameters}
    found = {}
    for a in schema.arguments:
        name = "out" if a.is_out else a.name
        if name not in taken:
            name = _NAMES.get(name, name)
        found[a.name] = name
    return found


def _default_of(parameter):
    """Return the default of a row's parameter."""
    _, kind, text = parameter
    if text is None:
        return None
    if kind == "MemoryFormat":
        return int(text)
    if kind.startswith("ScalarType"):
        return _NO_TYPE
    if text in _UNGIVEN:
        return _UNGIVEN[text]
    if text.startswith("["):
        return tuple(int(item) for item in text[1:-1].split(",") if item.strip())
    if text.startswith(("'", '"')):
        return text[1:-1]
    return (
        float(text) if kind == "float" else int(text) if text.lstrip("-").isdigit() else float(text)
    )


@functools.cache
def _dtype_of_code():
    return {d._code: d for d in _dtypes._dtypes().values()}


def _shown(argument, kind, value):
    """Convert an argument of a row to PyTorch's type."""
    if isinstance(value, TensorBase):
        return as_number(value)
    if kind.startswith("ScalarType") and isinstance(value, int):
        return _dtype_of_code().get(value)
    if kind == "MemoryFormat" and isinstance(value, int):
        return _FORMATS.get(value)
    if isinstance(value, (tuple, list)):
        if not argument.is_list:
            return value[0]
        if argument.kind == "bool":
            return [bool(item) for item in value]
        return list(value)
    if argument.is_list and type(value) is int:
        return [value]
    if argument.kind == "ScalarType" and type(value) is int:
        return _dtype_of_code()[value]
    return value


def _given(argument, kind, value):
    """Convert an argument of an overload to the row's type."""
    if value is None:
        return _NO_TYPE if kind.startswith("ScalarType") else 1 if kind == "MemoryFormat" else None
    if kind.startswith("Tensor") and not kind.endswith("]") and isinstance(value, _NUMBER_TYPES):
        return number_tensor(value)
    if isinstance(value, (_dtypes.dtype, _types.memory_format)):
        return value._code
    if kind.startswith("int[]"):
        items = value if isinstance(value, (tuple, list)) else (value,) * max(argument.length, 1)
        return tuple(int(item) for item in items)
    if kind.startswith("Tensor") and kind.endswith("]"):
        return list(value)
    if kind == "Scalar" and isinstance(value, Tensor):
        return value.item()
    return value
