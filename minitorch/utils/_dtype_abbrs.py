"""Short names of dtypes, in PyTorch's module."""

from minitorch.core.dtype_abbrs import dtype_abbrs

__all__ = ["dtype_abbrs"]
