"""`GradScaler` under the module where PyTorch defines it."""

from minitorch.cuda.amp import GradScaler

__all__ = ["GradScaler"]
