"""Matrix products and forms, under the module name of PyTorch."""

from minitorch import Tensor  # noqa: F401 - PyTorch has it here
from minitorch.composed.optional_matrices import (
    basis,
    bform,
    get_floating_dtype,
    is_sparse,
    matmul,
    qform,
    symeig,
)

__all__ = ["basis", "bform", "get_floating_dtype", "is_sparse", "matmul", "qform", "symeig"]
