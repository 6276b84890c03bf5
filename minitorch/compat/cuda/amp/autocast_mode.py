"""`autocast` and its decorators under the module where PyTorch defines them."""

from minitorch.cuda.amp import autocast, custom_bwd, custom_fwd

__all__ = ["autocast", "custom_bwd", "custom_fwd"]
