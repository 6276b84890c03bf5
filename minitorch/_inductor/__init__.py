"""PyTorch's generator of kernels: what programs ask and set; nothing is generated here."""

from minitorch._inductor import config, utils

__all__ = ["config", "utils"]
