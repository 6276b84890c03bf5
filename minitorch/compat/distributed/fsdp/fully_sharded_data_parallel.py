"""The names of `torch.distributed.fsdp` under the module where PyTorch defines them."""

from minitorch.distributed.fsdp import *  # noqa: F403
from minitorch.distributed.fsdp import __all__ as __all__
