"""Settings of `torch.save` and `torch.load`."""

from minitorch.utils.serialization import config

__all__ = ["config"]
