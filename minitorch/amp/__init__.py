"""Mixed precision: `autocast`, `GradScaler`, and decorators of custom Functions."""

from minitorch.amp import autocast_mode, grad_scaler
from minitorch.amp.autocast_mode import (
    autocast,
    custom_bwd,
    custom_fwd,
    is_autocast_available,
)
from minitorch.amp.grad_scaler import GradScaler

__all__ = [
    "GradScaler",
    "autocast",
    "custom_bwd",
    "custom_fwd",
    "is_autocast_available",
]
