"""What is in `cuda.amp`, by the module that PyTorch has it in."""

from minitorch.cuda.amp import autocast, custom_bwd, custom_fwd

__all__ = ["autocast", "custom_bwd", "custom_fwd"]
