"""Short names of the element types, for logs: ``f32``, ``i64``, ``bf16``, ``c64``, ``b8``, ``f8e5m2``."""

import re

from minitorch.core.dtype import _dtypes

__all__ = ["abbreviated", "dtype_abbrs"]

_KINDS = {"float": "f", "int": "i", "uint": "u", "bfloat": "bf", "complex": "c"}


def _abbreviation(name):
    name = name.replace("_", "")
    kind = name[: re.search(r"\d|$", name).start()]
    return "b8" if kind == "bool" else _KINDS[kind] + name[len(kind) :]


dtype_abbrs = {dtype: _abbreviation(repr(dtype)[6:]) for dtype in _dtypes().values()}


def abbreviated(t):
    """Return the dtype and the shape of a tensor as logs show them: ``f32[2, 3]``."""
    return f"{dtype_abbrs[t.dtype]}{list(t.shape)}"
