"""Deprecated name of `torch.distributed.tensor`."""

from minitorch.distributed.tensor import *  # noqa: F403
from minitorch.distributed.tensor import __all__ as __all__
