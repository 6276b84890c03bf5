"""Masked tensors: tensors with a mask of valid elements."""

from minitorch.core.lazy import lazy_attributes
from minitorch.masked.maskedtensor import _rules  # noqa: F401 - `MaskedTensor` finds its rules there
from minitorch.masked.maskedtensor.core import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "is_masked_tensor"]

__getattr__ = lazy_attributes(__name__, "binary", "reductions", "unary")
