"""The old names of mixed precision on the CPU, which warn."""

from minitorch.amp._old_names import OldAutocast, OldGradScaler

__all__ = ["GradScaler", "autocast"]


class autocast(OldAutocast):
    """`amp.autocast` for the CPU."""

    _device, _lower = "cpu", "bfloat16"


class GradScaler(OldGradScaler):
    """`amp.GradScaler` for the CPU."""

    _device = "cpu"
