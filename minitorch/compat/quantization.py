"""The deprecated name of ``torch.ao.quantization``."""

from minitorch.ao.quantization import *  # noqa: F403 (all of it)
from minitorch.ao.quantization import __all__  # noqa: F401
