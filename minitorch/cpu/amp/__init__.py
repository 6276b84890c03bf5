"""The old names of mixed precision on the CPU, which warn."""

import warnings

from minitorch import amp as _amp
from minitorch.core.dtype import _dtypes

__all__ = ["GradScaler", "autocast"]


def _deprecated(old, new):
    warnings.warn(
        f"`torch.cpu.amp.{old}(args...)` is deprecated. Please use `torch.amp.{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(_amp.autocast):
    """`amp.autocast` for the CPU."""

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        _deprecated("autocast", "autocast('cpu', args...)")
        lower = _dtypes().get("bfloat16", _dtypes()["float16"])
        super().__init__(
            "cpu",
            enabled=enabled,
            dtype=lower if dtype is None else dtype,
            cache_enabled=cache_enabled,
        )


class GradScaler(_amp.GradScaler):
    """`amp.GradScaler` for the CPU."""

    def __init__(
        self,
        init_scale=2.0**16,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        _deprecated("GradScaler", "GradScaler('cpu', args...)")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
