"""PyTorch's primitive operators: of them only what is common to all, `utils`."""

from minitorch import _prims_common as utils

__all__ = ["utils"]
