"""Fake tensors and other special tensors of PyTorch."""

from minitorch._subclasses.fake_tensor import (
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    UnsupportedFakeTensorException,
)
from minitorch.namespace.lazy_modules import lazy_modules

__all__ = [
    "DynamicOutputShapeException",
    "FakeTensor",
    "FakeTensorMode",
    "UnsupportedFakeTensorException",
]

__getattr__ = lazy_modules(__name__, "fake_utils", "functional_tensor")
