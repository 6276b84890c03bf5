"""Deprecated names of mixed precision on the CPU, which issue warnings."""

from minitorch.amp._old_names import OldAutocast, OldGradScaler

__all__ = ["GradScaler", "autocast"]


class autocast(OldAutocast):
    """Deprecated version of `amp.autocast` for the CPU."""

    _device, _lower = "cpu", "bfloat16"


class GradScaler(OldGradScaler):
    """Deprecated version of `amp.GradScaler` for the CPU."""

    _device = "cpu"
