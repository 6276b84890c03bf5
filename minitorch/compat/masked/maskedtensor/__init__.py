"""Tensors of which only some elements are there."""

from minitorch.masked.maskedtensor.core import MaskedTensor, is_masked_tensor
from minitorch.namespace.lazy_modules import lazy_modules

__all__ = ["MaskedTensor", "is_masked_tensor"]

__getattr__ = lazy_modules(__name__, "binary", "reductions", "unary")
