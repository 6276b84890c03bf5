"""Test helpers: comparison within a tolerance, and tensors of random values."""

from minitorch.testing import _utils  # noqa: F401
from minitorch.testing._comparison import assert_allclose, assert_close
from minitorch.testing._creation import make_tensor
from minitorch.testing._file_check import FileCheck

__all__ = ["FileCheck", "assert_allclose", "assert_close", "make_tensor"]
