"""Deprecated aliases of `amp` in `torch.cpu.amp` and `torch.cuda.amp`."""

import warnings

from minitorch import amp
from minitorch.core.dtype import _dtypes


def deprecated(device, old, new):
    """Warn the caller of the calling function that a name is deprecated."""
    warnings.warn(
        f"`torch.{device}.amp.{old}(args...)` is deprecated. Please use `torch.amp.{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


class OldAutocast(amp.autocast):
    """`amp.autocast` with the device of the class."""

    _device: str
    _lower: str  # name of the default dtype

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        deprecated(self._device, "autocast", f"autocast('{self._device}', args...)")
        super().__init__(
            self._device,
            enabled=enabled,
            dtype=_dtypes()[self._lower] if dtype is None else dtype,
            cache_enabled=cache_enabled,
        )


class OldGradScaler(amp.GradScaler):
    """`amp.GradScaler` with the device of the class."""

    _device: str

    def __init__(
        self,
        init_scale=2.0**16,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        deprecated(self._device, "GradScaler", f"GradScaler('{self._device}', args...)")
        super().__init__(
            self._device, init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )
