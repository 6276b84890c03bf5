"""Tensors of which only some elements are there."""

from minitorch.masked.maskedtensor.core import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "is_masked_tensor"]
