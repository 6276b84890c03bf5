"""Dispatch of composite functions as one call.

While autograd may record, modes and classes with ``__torch_dispatch__`` see the operators that a
composite function calls. In inference mode no autograd kernel decomposes the function first, so
they see the function itself.
"""

import contextlib
import functools
import threading

from minitorch._dispatch import modes
from minitorch._dispatch.argument_types import takes, unpacked
from minitorch._dispatch.operators import calls, ops
from minitorch._dispatch.own_kernels import COMPOSITE, is_composite
from minitorch._dispatch.results import outcome
from minitorch._tensor import Tensor
from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.functions.overridable import NOT_DISPATCHED
from minitorch.autograd.levels import wrapped_of
from minitorch.core.dtype import _dtypes
from minitorch.core.return_types import result_class

# names that PyTorch answers without a dispatch, or that are not operators there
_NEVER = frozenset(
    """
    cpu cuda data dim element_size get_device grad is_complex is_conj is_contiguous is_floating_point is_inference
    is_leaf is_neg is_signed is_sparse numel output_nr requires_grad_ result_type retain_grad retains_grad size split
    stft storage_offset stride _version
    """.split()
)
_ATTRIBUTES = {
    "T": "numpy_T",
    "H": "matrix_H",
    "mT": "mT",
    "mH": "mH",
    "real": "real",
    "imag": "imag",
}
_CONVERSIONS = {
    "bfloat16": "bfloat16", "bool": "bool", "byte": "uint8", "cdouble": "complex128", "cfloat": "complex64",
    "char": "int8", "double": "float64", "float": "float32", "half": "float16", "int": "int32", "long": "int64",
    "short": "int16",
}  # fmt: skip
_WITH_NUMBER = frozenset(
    "divide multiply subtract true_divide".split()
)  # in PyTorch these take a number as a tensor
_OPERATORS = {"logsigmoid": "log_sigmoid"}  # function -> operator name, where they differ
_MOMENTS = frozenset("std std_mean var var_mean".split())
_OTHER_NAMES = {"input": "self", "axis": "dim", "keepdims": "keepdim", "x2": "other"}


class _Thread(threading.local):
    entered = None  # the function that is running, which must not be dispatched again


_thread = _Thread()


@functools.cache
def _overloads(name):
    """Return the overloads of a name, composite ones first; empty if none is composite."""
    packet = getattr(ops.aten, name, None) if name not in _NEVER else None
    found = [] if packet is None else list(packet._overloads.values())
    composed = [overload for overload in found if is_composite(overload)]
    return (
        composed + [overload for overload in found if overload not in composed] if composed else []
    )


def dispatch_call(name, args, kwargs, is_attribute):
    if not modes.is_handled((*args, *kwargs.values())):
        return NOT_DISPATCHED
    if _thread.entered == (_ATTRIBUTES.get(name) if is_attribute else name):
        _thread.entered = None
        return NOT_DISPATCHED
    if _transformed([*args, *kwargs.values()]):
        return NOT_DISPATCHED
    if is_attribute:
        name = _ATTRIBUTES.get(name)
        if name is None:
            return NOT_DISPATCHED
    elif name in _CONVERSIONS and args:
        wanted = _dtypes()[_CONVERSIONS[name]]
        return _dispatched(ops.aten.to.dtype, (args[0], wanted), {})
    elif name == "contiguous" and args[0].is_contiguous(**kwargs):
        return NOT_DISPATCHED
    elif name == "conj" and not args[0].is_complex():
        return NOT_DISPATCHED
    elif name in _MOMENTS and len(args) + len(kwargs) == 1:
        return NOT_DISPATCHED  # without a correction, PyTorch calls the operator that has one
    name = _OPERATORS.get(name, name)
    for number_as_tensor in (False, True):
        if name.removesuffix("_") in _WITH_NUMBER and not number_as_tensor:
            continue
        for overload in reversed(_overloads(name)) if name in _WITH_NUMBER else _overloads(name):
            values = _bound(overload._schema, args, kwargs, number_as_tensor)
            if values is not None:
                given = overload._schema.call(values)
                return _dispatched(overload, *given) if is_composite(overload) else NOT_DISPATCHED
    return NOT_DISPATCHED


def dispatch_outputs(name, args, kwargs):
    """Dispatch a call with ``out=`` of a function whose row has no such form."""
    rest = {key: value for key, value in kwargs.items() if key != "out"}
    out = kwargs["out"]
    outs = (out,) if isinstance(out, Tensor) else out
    packet = getattr(ops.aten, name, None)
    if (
        packet is None
        or not modes.is_handled((*args, *outs))
        or _transformed([*args, *rest.values()])
    ):
        return NOT_DISPATCHED
    for overload in packet._overloads.values():
        names = [a.name for a in overload._schema.arguments if a.is_out]
        if overload._row is not None or len(names) != len(outs) or is_composite(overload):
            continue
        given = {**rest, **dict(zip(names, outs, strict=True))}
        values = _bound(overload._schema, args, given, False)
        if values is not None:
            result = _dispatched(overload, *overload._schema.call(values))
            return out if outs[0] is out else result_class(f"{name}_out", _fields(overload))(result)
    return NOT_DISPATCHED


def _fields(overload):
    """Return the names of the results, taken from the schema without ``out=`` if it has any."""
    plain = overload.overloadpacket._overloads.values()
    own = next(o for o in plain if not any(a.is_out for a in o._schema.arguments))
    names = [r.name for r in own._schema.returns]
    return names if all(names) else [a.name for a in overload._schema.arguments if a.is_out]


def _transformed(arguments):
    """Return whether a transform or forward-mode AD decomposes the function."""
    tensors = list(modes.tensors_in(arguments))
    return _any_dual(tensors) or any(wrapped_of(t) is not None for t in tensors)


def _bound(schema, args, kwargs, number_as_tensor):
    """Return the arguments by name, or None if they do not fit the schema."""
    given = {_OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
    known = [a for a in schema.arguments if not a.kwarg_only]
    outs = [a.name for a in schema.arguments if a.is_out]
    if bool(outs) != (given.get("out") is not None or not given.keys().isdisjoint(outs)):
        return None
    for place, (a, value) in enumerate(zip(known, args, strict=False)):
        if a.is_list and a.kind == "Tensor" and isinstance(value, Tensor):
            args = (*args[:place], list(args[place:]))
            break
    # sizes and dimensions may be separate arguments
    if (
        known
        and known[-1].is_list
        and len(args) >= len(known)
        and type(args[len(known) - 1]) is int
    ):
        args = (*args[: len(known) - 1], list(args[len(known) - 1 :]))
    try:
        values = schema.bind(args, given)
    except RuntimeError:
        return None
    if not all(takes(a, values[a.name], number_as_tensor) for a in schema.arguments):
        return None
    return {a.name: _shown(a, unpacked(a, values[a.name])) for a in schema.arguments}


def _shown(argument, value):
    if not argument.is_list or value is None:
        return value
    return [value] * argument.length if type(value) is int else list(value)


def _dispatched(overload, args, kwargs):
    """Dispatch the call to modes and classes; return a tuple if the operator returns a list."""
    result = modes.ask(overload, (*args, *kwargs.values()), args, kwargs)
    checked = outcome(overload, result)
    if isinstance(checked, list):
        return result if isinstance(result, tuple) else tuple(checked)
    return result


@contextlib.contextmanager
def _entering(name):
    _thread.entered, before = name, _thread.entered
    try:
        yield
    finally:
        _thread.entered = before


def decompose(overload, args, kwargs):
    """Compute an operator through its decomposition; return NotImplemented if it has none."""
    if overload._kernels is not None:
        kernel = overload._kernels.get(COMPOSITE)
        return NotImplemented if kernel is None else kernel(*args, **kwargs)
    if not is_composite(overload):
        return NotImplemented
    with _entering(overload._opname):
        return overload(*args, **kwargs)


calls.decompose = decompose
