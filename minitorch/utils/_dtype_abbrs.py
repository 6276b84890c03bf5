"""PyTorch's place of the short names of the element types."""

from minitorch.core.dtype_abbrs import dtype_abbrs

__all__ = ["dtype_abbrs"]
