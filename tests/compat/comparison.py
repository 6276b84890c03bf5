"""Whether a result is PyTorch's: dtype, shape and values, in nested tuples and lists."""

import numpy as np
import torch

import minitorch

# relative and absolute error of a value; gradients may have ten times as much, second ones a hundred
TOLERANCE = {
    torch.float64: (1e-7, 1e-9),
    torch.complex128: (1e-7, 1e-9),
    torch.float32: (1e-4, 1e-5),
    torch.complex64: (1e-4, 1e-5),
    torch.float16: (1e-2, 1e-2),
    torch.bfloat16: (4e-2, 4e-2),
}


class Different(Exception):
    """What is not as PyTorch has it."""


def leaves(x):
    """The values in nested containers, in order."""
    if isinstance(x, dict):
        return [y for value in x.values() for y in leaves(value)]
    if isinstance(x, tuple | list) and not isinstance(x, torch.Size | minitorch.Size):
        return [y for value in x for y in leaves(value)]
    return [x]


def array(t):
    t = t.detach()
    if isinstance(t, torch.Tensor):
        t = t.resolve_conj().resolve_neg()
    if str(t.dtype) in ("torch.bfloat16", "torch.complex32"):
        t = t.float() if str(t.dtype) == "torch.bfloat16" else t.cfloat()
    # a gradient that is zero is not always memory in PyTorch
    return np.array(t.numpy(force=True))


def compare(ours, theirs, looseness=1, values=True):
    """Raise `Different` unless they are the same but for rounding."""
    mine, expected = leaves(ours), leaves(theirs)
    if len(mine) != len(expected):
        raise Different(f"{len(mine)} results, not {len(expected)}")
    for a, b in zip(mine, expected, strict=True):
        compare_leaf(a, b, looseness, values)


def compare_leaf(ours, theirs, looseness, values):
    if not isinstance(theirs, torch.Tensor):
        if isinstance(ours, minitorch.Tensor):
            raise Different(f"a tensor, not {type(theirs).__name__}")
        if isinstance(theirs, bool | int | float | complex):
            if type(ours) is not type(theirs):
                raise Different(f"{type(ours).__name__}, not {type(theirs).__name__}")
            if values and not np.allclose(ours, theirs, 1e-6, 1e-8, equal_nan=True):
                raise Different(f"{ours}, not {theirs}")
        elif isinstance(theirs, torch.Size) and ours != tuple(theirs):
            raise Different(f"{ours}, not {theirs}")
        return
    if not isinstance(ours, minitorch.Tensor):
        raise Different(f"{type(ours).__name__}, not a tensor")
    if str(ours.dtype) != str(theirs.dtype):
        raise Different(f"{ours.dtype}, not {theirs.dtype}")
    if tuple(ours.shape) != tuple(theirs.shape):
        raise Different(f"shape {tuple(ours.shape)}, not {tuple(theirs.shape)}")
    if not values:
        return
    a, b = array(ours), array(theirs)
    if theirs.dtype in TOLERANCE:
        relative, absolute = (looseness * x for x in TOLERANCE[theirs.dtype])
        finite = np.abs(b[np.isfinite(b)])
        # where terms cancel, the error is that of the terms
        absolute *= max(1.0, float(finite.max())) if finite.size else 1.0
        equal = np.isclose(a, b, relative, absolute, equal_nan=True)
    else:
        equal = a == b
    if not equal.all():
        place = tuple(int(k) for k in np.argwhere(~np.atleast_1d(equal))[0])
        one, other = np.atleast_1d(a)[place], np.atleast_1d(b)[place]
        raise Different(f"{one}, not {other}, at {place}")
