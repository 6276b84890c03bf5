"""What is in `cuda.amp`, by the module that PyTorch has it in."""

from minitorch.cuda.amp import GradScaler

__all__ = ["GradScaler"]
