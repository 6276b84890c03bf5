"""Comparing two values that are no containers: None, truth values, numbers, tensors.

Each kind is a function that either returns None, when it is not responsible, or a function without
arguments that raises `Mismatch` when the two values are not close. Wrong tolerances are found when that
function is made, hence before any value is compared.
"""

import cmath

import numpy as np

from minitorch._functional import isclose
from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.autograd.functions.namespace import promote_types
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.testing._mismatch import Mismatch
from minitorch.testing._tolerance import NUMBER_DTYPES, report, tolerances

_UNEXPECTED = (
    "Originating a NumberPair() at item {} with\n\n{}\n\nand\n\n{}\n\nresulted in the unexpected "
    "exception above. If you are a user and see this message during normal operation please file an "
    "issue at https://github.com/pytorch/pytorch/issues. If you are a developer and working on the "
    "comparison functions, please except the previous error and raise an expressive `ErrorMeta` instead."
)


def none_check(actual, expected, where, options):
    """Two values of which at least one is None."""
    if actual is not None and expected is not None:
        return None

    def check():
        if actual is not expected:
            raise Mismatch(f"None mismatch: {actual} is not {expected}", where)

    return check


def bool_check(actual, expected, where, options):
    """Two truth values."""
    if not all(isinstance(v, (bool, np.bool_)) for v in (actual, expected)):
        return None

    def check():
        if bool(actual) is not bool(expected):
            raise Mismatch(f"Booleans mismatch: {bool(actual)} is not {bool(expected)}", where)

    return check


def number_check(actual, expected, where, options):
    """Two numbers of Python or NumPy."""
    if not all(isinstance(v, (int, float, complex, np.number)) for v in (actual, expected)):
        return None
    a, e = (v.item() if isinstance(v, np.number) else v for v in (actual, expected))
    if not all(type(v) in NUMBER_DTYPES for v in (a, e)):
        # a truth value beside a number is neither
        kinds = [f"{type(v).__name__}(): {v}" for v in (actual, expected)]
        raise RuntimeError(_UNEXPECTED.format("".join(f"[{key}]" for key in where), *kinds))
    dtypes = [NUMBER_DTYPES[type(v)] for v in (a, e)]
    rtol, atol = tolerances(dtypes, options["rtol"], options["atol"], where)

    def check():
        if options["check_dtype"] and type(a) is not type(e):
            raise Mismatch(f"The (d)types do not match: {type(a)} != {type(e)}.", where)
        if a == e or (options["equal_nan"] and cmath.isnan(a) and cmath.isnan(e)):
            return
        distance = abs(a - e)
        if not (cmath.isfinite(distance) and distance <= atol + rtol * abs(e)):
            raise Mismatch(_scalar_text(a, e, rtol, atol), where)

    return check


def tensor_check(actual, expected, where, options):
    """Two tensors, or two things of related types that tensors can be made of."""
    if not (isinstance(actual, type(expected)) or isinstance(expected, type(actual))):
        return None
    if not options["allow_subclasses"] and type(actual) is not type(expected):
        return None
    a, e = _as_tensor(actual), _as_tensor(expected)
    if a is None or e is None:
        return None
    rtol, atol = tolerances((a, e), options["rtol"], options["atol"], where)

    def check():
        for name, ours, theirs in _compared_attributes(a, e, options):
            if ours != theirs:
                raise Mismatch(
                    f"The values for attribute '{name}' do not match: {ours} != {theirs}.", where
                )
        text = _difference(a, e, rtol, atol, options["equal_nan"])
        if text is not None:
            raise Mismatch(text, where)

    return check


KINDS = (none_check, bool_check, number_check, tensor_check)


def _as_tensor(value):
    if isinstance(value, Tensor):
        return value
    try:
        return as_tensor(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def _compared_attributes(a, e, options):
    yield "shape", a.shape, e.shape
    if options["check_layout"]:
        yield "layout", a.layout, e.layout
    if options["check_stride"]:
        yield "stride()", a.stride(), e.stride()
    if options["check_device"]:
        yield "device", a.device, e.device
    if options["check_dtype"]:
        yield "dtype", a.dtype, e.dtype


@no_grad()
def _difference(a, e, rtol, atol, equal_nan):
    """The text that says how two tensors of one shape differ, or None when they are close."""
    if a.dtype is not e.dtype:
        common = promote_types(a.dtype, e.dtype)
        a, e = a.to(common), e.to(common)
    close = isclose(a, e, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if close.all():
        return None
    if a.dim() == 0:
        return _scalar_text(a.item(), e.item(), rtol, atol)
    total, wrong = close.numel(), int((~close).sum())
    if not (a.is_floating_point() or a.is_complex()):
        a, e = a.to(_dtypes()["int64"]), e.to(_dtypes()["int64"])
    absolute = (a - e).abs()
    absolute[close] = 0
    relative = absolute / e.abs()
    relative[close] = 0
    rows = []
    for kind, differences, tolerance in (
        ("absolute", absolute, atol),
        ("relative", relative, rtol),
    ):
        largest, at = differences.flatten().max(0)
        index = tuple(int(k) for k in np.unravel_index(int(at), tuple(close.shape)))
        rows.append((kind, largest.item(), index, tolerance))
    detail = f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})"
    return report("Tensor-likes", detail, rows, rtol, atol)


def _scalar_text(a, e, rtol, atol):
    absolute = abs(a - e)
    relative = absolute / abs(e) if e != 0 else float("inf")
    rows = [("absolute", absolute, None, atol), ("relative", relative, None, rtol)]
    return report("Scalars", f"Expected {e} but got {a}.", rows, rtol, atol)
