"""PyTorch's primitive operators, which are absent except for their common helpers, `utils`."""

from minitorch import _prims_common as utils

__all__ = ["utils"]
