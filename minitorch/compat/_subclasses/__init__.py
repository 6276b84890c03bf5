"""Fake tensors and other special tensors of PyTorch."""

from minitorch._subclasses.fake_tensor import (
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    UnsupportedFakeTensorException,
)
from minitorch.core.lazy import lazy_attributes

__all__ = [
    "DynamicOutputShapeException",
    "FakeTensor",
    "FakeTensorMode",
    "UnsupportedFakeTensorException",
]

__getattr__ = lazy_attributes(__name__, "fake_utils", "functional_tensor")
