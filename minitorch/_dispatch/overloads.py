"""From a row of derivatives.toml and its arguments to PyTorch's overload and its own, and back.

`described` is the way there: what a mode is told of a call. `call` is the way back: what
``torch.ops.aten.add.Tensor(x, y)`` does, in a mode or anywhere else.
"""

import functools
import os
import sys

from minitorch._dispatch.operators import OpOverload, _packets, table
from minitorch._dispatch.own_kernels import is_composite
from minitorch._tensor import Tensor
from minitorch.autograd.engine import _current_autograd_node
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.graph import _engine_run_backward
from minitorch.autograd.operators import _operator, as_number, number_tensor, operators
from minitorch.autograd.python_dispatch import UndefinedResult, asked, is_written_in_cpp
from minitorch.autograd.variable import TensorBase
from minitorch.core import dtype as _dtypes
from minitorch.core import types as _types

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class made by Python, as no node of a row is
_NO_TYPE = 16  # NoType in core/dtype.pxd
_NUMBER_TYPES = (int, float, complex, bool)
_FORMATS = {
    f._code: f for f in (_types.contiguous_format, _types.channels_last, _types.channels_last_3d)
}
_UNGIVEN = {"None": None, "True": True, "False": False}


@functools.cache
def _dtype_of_code():
    return {d._code: d for d in _dtypes._dtypes().values()}


def form_of(schema):
    """The form of a row that an overload is: "", "_" or "_out"."""
    if any(a.is_out for a in schema.arguments):
        return "_out"
    first = schema.arguments[0] if schema.arguments else None
    return "_" if first is not None and first.is_write and schema.name.endswith("_") else ""


@functools.cache
def _by_row():
    """(row, form) -> its overloads, in the order in which they are tried."""
    found = {}
    packets = _packets()
    for row, schema in table():
        if row is not None:
            packet = packets[schema.name.removeprefix("aten::")]
            overload = getattr(packet, schema.overload_name or "default")
            found.setdefault((row, form_of(schema)), []).append(overload)
    return found


@functools.cache
def name_of(operator):
    """The name without the overload, ``aten::add_``; the row's where PyTorch has no such operator."""
    found = _by_row().get((operator.name, operator.form))
    return found[0]._schema.name if found else f"aten::{operator.name}{operator.form}"


def full_name_of(operator, arguments):
    """The name of a call with its overload, ``aten::add_.Tensor``."""
    call = described(operator, arguments)
    return name_of(operator) if call is None else call[0].name()


def _default_of(parameter):
    """The default of a row's parameter."""
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


_NAMES = {"self": "input", "input": "self", "from": "from_", "src": "other", "grad": "grad_output"}


def _names(schema, operator):
    """The schema's arguments -> the row's parameters."""
    taken = {name for name, _, _ in operator.parameters}
    found = {}
    for a in schema.arguments:
        name = "out" if a.is_out else a.name
        if name not in taken:
            name = _NAMES.get(name, name)
        found[a.name] = name
    return found


# parameters of rows that follow from the others
_IMPLIED = {"diag_embed": ("sizes",)}


def _fits(overload, operator, values):
    """Whether an overload can say these arguments, of the row by name."""
    schema = overload._schema
    names = _names(schema, operator)
    implied = _IMPLIED.get(operator.name, ())
    for parameter in operator.parameters:
        if parameter[0] in implied:
            continue
        if parameter[0] not in names.values() and values[parameter[0]] != _default_of(parameter):
            return False
    for a in schema.arguments:
        value = values.get(names[a.name])
        if a.kind == "Scalar" and isinstance(value, TensorBase) and as_number(value) is value:
            return False
        if a.kind == "int" and not a.is_list and isinstance(value, (tuple, list)):
            if len(value) != 1:
                return False
        if (
            value is None
            and not a.is_optional
            and not a.has_default_value()
            and a.kind != "Generator"
        ):
            return False
    return True


def _shown(argument, kind, value):
    """A row's argument as PyTorch has it."""
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


_WITH_NUMBER = ("add", "sub", "mul", "div")
_MADE_IN_FORMULAS = (
    "arange",
    "ones",
    "zeros",
)  # programs call functions of these names, which say more


def described(operator, arguments):
    """``(overload, args, kwargs)`` of a row's call; None: PyTorch has no such operator.

    Parameters
    ----------
    operator : Operator
    arguments : tuple
        Those of the recording wrapper.
    """
    values = {p[0]: value for p, value in zip(operator.parameters, arguments, strict=True)}
    kinds = {p[0]: p[1] for p in operator.parameters}
    for overload in _candidates(operator, values):
        if not _fits(overload, operator, values):
            continue
        schema = overload._schema
        shown = {}
        for a in schema.arguments:
            name = _names(schema, operator)[a.name]
            shown[a.name] = (
                _shown(a, kinds[name], values[name])
                if name in values
                else None
                if not a.has_default_value()
                else a.default_value
            )
        if operator.name in _MADE_IN_FORMULAS:
            shown.update(layout=_types.strided, device=_types.cpu)
        return overload, *schema.call(shown)
    return None


def in_cpp():
    """Whether PyTorch calls from C++ what is called here now."""
    return is_written_in_cpp() or in_a_formula()


def in_a_formula():
    """Whether a node of ours runs whose numbers are written in its formula, and not saved."""
    node = _current_autograd_node()
    if (
        node is None
        or type(node).__flags__ & _HEAP_TYPE
        or type(node).__name__ in ("MulBackward0", "DivBackward0")
    ):
        return False
    # a hook of the program's runs meanwhile, or what it calls: its numbers are not the formula's
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_code is _engine_run_backward.__code__:
            return True
        frame = frame.f_back
    return False


def _is_number(value):
    return isinstance(value, TensorBase) and as_number(value) is not value


def _candidates(operator, values):
    found = _by_row().get((operator.name, operator.form), ())
    if operator.name not in _WITH_NUMBER:
        return found
    if not in_cpp():
        return found
    if operator.name in ("add", "mul") and operator.form == "" and _is_number(values["self"]):
        values["self"], values["other"] = values["other"], values["self"]
    if _is_number(values["other"]):
        return sorted(found, key=lambda overload: not overload._overloadname.startswith("Scalar"))
    return found


def outcome(overload, result):
    """What a mode or a class has returned, if it is what the operator returns; True of one that returns nothing.

    An operator in place gives what it has written, whether or not it is returned as well.

    Raises
    ------
    RuntimeError
        It is of another type.
    """
    returns = overload._schema.returns
    if not returns:
        return True
    if len(returns) > 1:
        return _several(overload, result, returns)
    (expected,) = returns
    if expected.is_list:
        if not isinstance(result, (tuple, list)):
            raise RuntimeError(_not_convertible(result))
        if not all(isinstance(item, Tensor) for item in result):
            raise RuntimeError(_not_convertible(result))
        return list(result)
    if expected.kind == "Tensor" and not isinstance(result, Tensor):
        if result is None and expected.alias_info is not None and expected.alias_info.is_write:
            return True
        error = UndefinedResult if result is None else RuntimeError
        raise error(f"Unable to cast {result} to Tensor")
    if expected.kind == "bool":
        if result is not None and not isinstance(result, _NUMBER_TYPES):
            raise RuntimeError(_not_convertible(result))
        return bool(result)
    return result


def _several(overload, result, returns):
    if not isinstance(result, (tuple, list, str)):
        raise RuntimeError(
            f"Object of type '{type(result).__name__}' is not an instance of 'sequence'"
        )
    for item in result:
        if item is not None and not isinstance(item, Tensor):
            raise RuntimeError(f"Unable to cast {item} to Tensor")
    if len(result) < len(returns):
        raise RuntimeError("Expected Tensor but got None")
    if len(result) > len(returns):
        raise RuntimeError(f"{overload} returned {len(result)} results instead of {len(returns)}")
    return list(result)


def _not_convertible(result):
    return (
        f"Unable to cast Python instance of type {type(result)} to C++ type '?' (#define "
        "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
    )


# ---- calls

# rows whose dtype is not optional: the functions know the default
_CREATION = frozenset(
    "arange empty empty_like eye full full_like linspace logspace ones ones_like zeros zeros_like".split()
)


def _given(argument, kind, value):
    """An argument of an overload as the row takes it."""
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


def _check(argument, value, overload, position):
    if value is None:
        good = argument.is_optional
    elif argument.kind == "Tensor" and argument.is_list:
        good = isinstance(value, (tuple, list))
    elif argument.kind in ("Tensor", "Scalar") and not argument.is_list:
        good = isinstance(value, (Tensor, *_NUMBER_TYPES))
    else:
        return
    if not good:
        if argument.kind == "Tensor" and not argument.is_list:
            detail = f"Unable to cast {value} to Tensor"
        elif argument.kind in ("Tensor", "Scalar"):
            expected = "number" if argument.kind == "Scalar" else argument.type
            detail = f"Cannot cast {value} to {expected}"
        else:
            detail = _not_convertible(value)
        raise RuntimeError(
            f"{overload._schema.name}() Expected a value of type '{argument.type}' for argument "
            f"'{argument.name}' but instead found type '{type(value).__name__}'.\nPosition: {position}\n"
            f"Value: {value!r}\nDeclaration: {overload._schema}\nCast error details: {detail}"
        )


def _as_declared(schema, result):
    """The results of a function as those of the operator: a list, or nothing."""
    if not schema.returns and not schema.is_varret:
        return None
    if len(schema.returns) == 1 and schema.returns[0].is_list:
        return list(result)
    return tuple(result) if isinstance(result, tuple) else result


def _told_whole(overload, values):
    """What modes and classes make of an operator that is composed here alone; None: they are told of its parts."""
    from minitorch._dispatch.modes import _asked

    given = tuple(values.values())
    if overload._row is not None or is_composite(overload) or not asked(*given):
        return None
    if is_grad_enabled() and any(isinstance(t, Tensor) and t.requires_grad for t in given):
        return None
    result = _asked(overload, given, *overload._schema.call(values))
    return given[0] if result is True else result


def call(overload, args, kwargs):
    """Call an operator by its name.

    Raises
    ------
    RuntimeError
        The arguments are not those of its schema.
    NotImplementedError
        There is no such operator here.
    """
    schema = overload._schema
    values = schema.bind(args, kwargs)
    for position, a in enumerate(schema.arguments):
        _check(a, values[a.name], overload, position)
    form = form_of(schema)
    makes_new = overload._row in _CREATION and form == ""
    if (
        overload._row is None
        or overload._row in _IMPLIED
        or makes_new
        or (overload._row, form) not in operators
    ):
        from minitorch._dispatch.composed import call_composed

        told = _told_whole(overload, values)
        if told is not None:
            return told
        return _as_declared(schema, call_composed(overload, args, kwargs))
    operator = _operator(overload._row, form)
    names = {row: own for own, row in _names(schema, operator).items()}
    known = {a.name: a for a in schema.arguments}
    given = []
    for parameter in operator.parameters:
        name = names.get(parameter[0])
        if name is None:
            given.append(_default_of(parameter))
        elif (
            values[name] is None
            and parameter[2] is not None
            and not known[name].kind.startswith(("Tensor", "Generator"))
            and parameter[1] not in ("MemoryFormat",)
        ):
            given.append(_default_of(parameter))
        else:
            given.append(_given(known[name], parameter[1], values[name]))
    result = operator(*given)
    return tuple(result) if isinstance(result, list) and len(schema.returns) > 1 else result


def _matches(overload, args, kwargs):
    schema = overload._schema
    values = schema.bind(args, kwargs)
    for position, a in enumerate(schema.arguments):
        value = values[a.name]
        _check(a, value, overload, position)
        if isinstance(value, Tensor) and a.kind in (
            "Scalar",
            "float",
            "int",
            "SymInt",
            "bool",
            "str",
            "ScalarType",
        ):
            raise RuntimeError(
                f"{schema.name}() Expected a value of type '{a.type}' for argument '{a.name}' but instead found "
                f"type '{type(value).__name__}'.\nPosition: {position}\nValue: {value!r}\nDeclaration: {schema}"
            )
        if (
            a.kind == "Tensor"
            and not a.is_list
            and isinstance(value, _NUMBER_TYPES)
            and _has_number_overload(overload, a)
        ):
            raise RuntimeError(
                f"{schema.name}() Expected a value of type 'Tensor' for argument '{a.name}' but instead found "
                f"type '{type(value).__name__}'.\nPosition: {position}\nValue: {value!r}\nDeclaration: {schema}"
            )


def call_packet(packet, args, kwargs, check=_matches, end=""):
    """Call the first overload of an operator that takes these arguments, which `check` raises RuntimeError of."""
    errors = []
    for overload in packet._overloads.values():
        try:
            check(overload, args, kwargs)
        except RuntimeError as error:
            errors.append(str(error))
            continue
        return overload(*args, **kwargs)
    if len(errors) == 1:
        raise RuntimeError(errors[0])
    raise RuntimeError(
        "Overloaded torch operator invoked from Python failed to match any schema:\n"
        + "\n\n".join(errors)
        + end
    )


def _has_number_overload(overload, argument):
    return any(
        a.name == argument.name and a.kind == "Scalar"
        for other in overload._overloadpacket._overloads.values()
        for a in other._schema.arguments
    )


__all__ = ["OpOverload", "call", "call_packet", "described", "form_of", "outcome"]
