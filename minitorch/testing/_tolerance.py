"""Default tolerances, and the messages for values that differ."""

from minitorch._tensor import Tensor
from minitorch.core.dtype import dtype as _dtype
from minitorch.testing._error_meta import ErrorMeta

# (relative, absolute); all other dtypes are compared exactly
_DEFAULTS = {
    "torch.float16": (1e-3, 1e-5),
    "torch.bfloat16": (1.6e-2, 1e-5),
    "torch.float32": (1.3e-6, 1e-5),
    "torch.float64": (1e-7, 1e-7),
    "torch.complex32": (1e-3, 1e-5),
    "torch.complex64": (1.3e-6, 1e-5),
    "torch.complex128": (1e-7, 1e-7),
}


def default_tolerances(*values, dtype_precisions=None):
    """Return the wider of the default tolerances of tensors or dtypes, as ``(rtol, atol)``."""
    pairs = []
    for value in values:
        if not isinstance(value, (Tensor, _dtype)):
            raise TypeError(
                f"Expected a torch.Tensor or a torch.dtype, but got {type(value)} instead."
            )
        dtype = value.dtype if isinstance(value, Tensor) else value
        pairs.append((dtype_precisions or _DEFAULTS).get(repr(dtype), (0.0, 0.0)))
    return max(r for r, _ in pairs), max(a for _, a in pairs)


def get_tolerances(*values, rtol, atol, id=()):
    """Return the given tolerances or the defaults; raise `ErrorMeta` if only one is given."""
    if rtol is None and atol is None:
        return default_tolerances(*values)
    if rtol is None or atol is None:
        missing = "rtol" if rtol is None else "atol"
        raise ErrorMeta(
            ValueError,
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.",
            id=id,
        )
    return rtol, atol


def report(what, identifier, detail, rows, rtol, atol):
    """Return the message of a failure.

    `identifier` replaces `what`, or is a function of it. `rows` are tuples (kind, difference, its
    index or None, tolerance).
    """
    if identifier is not None:
        what = identifier(what) if callable(identifier) else identifier
    exact = rtol == 0 and atol == 0
    lines = [f"{what} are not {'equal' if exact else 'close'}!", "", detail]
    for kind, difference, index, tolerance in rows:
        line = (
            f"{kind.capitalize()} difference: {difference}"
            if index is None
            else f"Greatest {kind} difference: {difference} at index {index}"
        )
        lines.append(line if exact else f"{line} (up to {tolerance} allowed)")
    return "\n".join(lines)


def make_scalar_mismatch_msg(actual, expected, *, rtol, atol, identifier=None):
    """Return the message for two numbers that differ."""
    absolute = abs(actual - expected)
    relative = absolute / abs(expected) if expected != 0 else float("inf")
    rows = [("absolute", absolute, None, atol), ("relative", relative, None, rtol)]
    detail = f"Expected {expected} but got {actual}."
    return report("Scalars", identifier, detail, rows, rtol, atol)
