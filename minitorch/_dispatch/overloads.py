"""Conversion between rows of derivatives/ and PyTorch's overloads, with their arguments.

`described` converts the call of a row to the overload that modes receive. `call` converts in the
other direction: it computes ``torch.ops.aten.add.Tensor(x, y)`` by the row's operator.
"""

import functools
import os
import sys

from minitorch._dispatch import modes
from minitorch._dispatch.argument_values import WRONG, converted, wrong_type
from minitorch._dispatch.composed import call_composed
from minitorch._dispatch.operators import OpOverload, _packets, calls, table
from minitorch._dispatch.own_kernels import is_composite
from minitorch._dispatch.pairing import IMPLIED, pairing
from minitorch._dispatch.results import answered
from minitorch._tensor import Tensor
from minitorch.autograd.current_task import _current_autograd_node
from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.graph import _engine_run_backward
from minitorch.autograd.operators import as_number, operators
from minitorch.autograd.python_dispatch import is_written_in_cpp
from minitorch.autograd.variable import TensorBase
from minitorch.core import types as _types

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class created in Python; no node class of a row has it
_NUMBER_TYPES = (int, float, complex, bool)


@functools.cache
def _by_row():
    """Return a map from (row, form) to its overloads, in the order in which they are tried."""
    found = {}
    packets = _packets()
    for row, schema in table():
        if row is not None:
            packet = packets[schema.name.removeprefix("aten::")]
            overload = getattr(packet, schema.overload_name or "default")
            found.setdefault((row, schema.form), []).append(overload)
    return found


@functools.cache
def name_of(operator):
    """Return the name without overload, ``aten::add_``; the row's name if PyTorch has none."""
    found = _by_row().get((operator.name, operator.form))
    return found[0]._schema.name if found else f"aten::{operator.name}{operator.form}"


def full_name_of(operator, arguments):
    """Return the name of a call with its overload, ``aten::add_.Tensor``."""
    call = described(operator, arguments)
    return name_of(operator) if call is None else call[0].name()


_WITH_NUMBER = ("add", "sub", "mul", "div")
_MADE_IN_FORMULAS = (
    "arange",
    "ones",
    "zeros",
)  # only formulas call these rows; programs call functions that dispatch with more options


def described(operator, arguments):
    """Return ``(overload, args, kwargs)`` for a row's call, or None if PyTorch has no overload.

    Parameters
    ----------
    operator : Operator
    arguments : tuple
        The arguments of the recording wrapper.
    """
    given = list(arguments)
    for overload in _candidates(operator, given):
        pair = pairing(overload, operator)
        if not pair.fits(given):
            continue
        shown = pair.shown(given)
        if operator.name in _MADE_IN_FORMULAS:
            shown.update(layout=_types.strided, device=_types.cpu)
        return overload, *overload._schema.call(shown)
    return None


def in_cpp():
    """Return whether PyTorch makes the current call from C++."""
    return is_written_in_cpp() or in_a_formula()


def in_a_formula():
    """Return whether the formula of a built-in node makes the current call.

    Numbers among the arguments are then constants of the formula.
    """
    node = _current_autograd_node()
    if (
        node is None
        or type(node).__flags__ & _HEAP_TYPE
        or type(node).__name__ in ("MulBackward0", "DivBackward0")
    ):
        return False
    # a hook of the program may be running inside: its numbers are not constants of the formula
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_code is _engine_run_backward.__code__:
            return True
        frame = frame.f_back
    return False


def _is_number(value):
    return isinstance(value, TensorBase) and as_number(value) is not value


def _candidates(operator, given):
    """Return the overloads to try, in order.

    If C++ multiplies or adds a number and a tensor, the number is moved to second place in `given`.
    """
    found = _by_row().get((operator.name, operator.form), ())
    if operator.name not in _WITH_NUMBER or not in_cpp():
        return found
    if operator.name in ("add", "mul") and operator.form == "" and _is_number(given[0]):
        given[:2] = given[1::-1]
    if _is_number(given[1]):
        return sorted(found, key=lambda overload: not overload._overloadname.startswith("Scalar"))
    return found


# ---- calls

# rows whose dtype is required: the functions supply the default
_CREATION = frozenset(
    "arange empty empty_like eye full full_like linspace logspace ones ones_like zeros zeros_like".split()
)


class _Mismatch(Exception):
    """Arguments of `wrong_type`, whose slow message is built only if no other overload fits."""


def _find_mismatch(overload, values):
    for position, a in enumerate(overload._schema.arguments):
        value = values[a.name]
        if type(value) is Tensor:
            good = a.is_tensor or converted(a, value) is not WRONG
        elif value is a.default_value and not a._required:
            continue
        elif value is None:
            good = a.is_optional
        else:
            good = converted(a, value, numbers_are_tensors=True) is not WRONG
        if not good:
            raise _Mismatch(overload, position, value)


def _as_declared(schema, result):
    """Convert the result of a function to the types that the schema declares."""
    if not schema.returns and not schema.is_varret:
        return None
    if len(schema.returns) == 1 and schema.returns[0].is_list:
        return list(result)
    return tuple(result) if isinstance(result, tuple) else result


def _is_told_whole(overload, given):
    """Return whether an operator that only minitorch decomposes is dispatched as one call.

    This needs a mode or class to dispatch to, and no gradient or tangent to propagate.
    """
    if overload._row is not None or is_composite(overload) or not modes.is_handled(given):
        return False
    tensors = [t for t in given if isinstance(t, Tensor)]
    recorded = is_grad_enabled() and any(t.requires_grad for t in tensors)
    return not (recorded or _any_dual(tensors))


def _told_whole(overload, given, values):
    schema = overload._schema
    result = answered(overload, modes.ask(overload, given, *schema.call(values)))
    if result is None and schema.form:
        return next(values[a.name] for a in schema.arguments if a.is_write)
    return result


def call(overload, args, kwargs):
    """Call an overload of one of PyTorch's operators.

    Raises
    ------
    RuntimeError
        The arguments do not match its schema.
    NotImplementedError
        minitorch does not have the operator.
    """
    schema = overload._schema
    values = schema.bind(args, kwargs)
    try:
        _find_mismatch(overload, values)
    except _Mismatch as mismatch:
        raise wrong_type(*mismatch.args) from None
    operator = _operator_of(overload)
    if operator is None:
        given = tuple(values.values())
        if _is_told_whole(overload, given):
            return _told_whole(overload, given, values)
        return _as_declared(schema, call_composed(overload, args, kwargs))
    result = operator(*pairing(overload, operator).given(values))
    return tuple(result) if isinstance(result, list) and len(schema.returns) > 1 else result


@functools.cache
def _operator_of(overload):
    """Return the operator of the row that computes an overload, or None if no row does."""
    row, form = overload._row, overload._schema.form
    if row in _CREATION and form == "" or row in IMPLIED:
        return None
    return operators.get((row, form))


_NUMBER_KINDS, _TENSOR = ("float", "int", "SymInt", "bool"), ("Tensor",)


def _matches(overload, args, kwargs):
    schema = overload._schema
    values = schema.bind(args, kwargs)
    _find_mismatch(overload, values)
    for position, a in enumerate(schema.arguments):
        value = values[a.name]
        if a.is_list or not isinstance(value, (*_NUMBER_TYPES, Tensor)):
            continue
        # a number and a tensor convert to each other only if no other overload takes them directly
        meant, kinds = (
            ("Tensor", _NUMBER_KINDS) if isinstance(value, Tensor) else ("Scalar", _TENSOR)
        )
        if a.kind in kinds and _has_overload(overload, a, meant):
            raise _Mismatch(overload, position, value)


def call_packet(packet, args, kwargs, check=_matches, end=""):
    """Call the first overload of an operator that accepts these arguments.

    ``check(overload, args, kwargs)`` raises RuntimeError if an overload does not accept them. `end`
    is appended to the error if none does.
    """
    errors = []
    for overload in packet._overloads.values():
        try:
            check(overload, args, kwargs)
        except (RuntimeError, _Mismatch) as error:
            errors.append(error)
            continue
        return overload(*args, **kwargs)
    errors = [
        str(wrong_type(*error.args) if isinstance(error, _Mismatch) else error) for error in errors
    ]
    if len(errors) == 1:
        raise RuntimeError(errors[0])
    raise RuntimeError(
        "Overloaded torch operator invoked from Python failed to match any schema:\n"
        + "\n\n".join(errors)
        + end
    )


def _has_overload(overload, argument, kind):
    return any(
        a.name == argument.name and a.kind == kind and not a.is_list
        for other in overload._overloadpacket._overloads.values()
        for a in other._schema.arguments
    )


calls.row, calls.packet = call, call_packet

__all__ = ["OpOverload", "call", "call_packet", "described"]
