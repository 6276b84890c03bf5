"""The old names of mixed precision on GPUs, which warn and are off."""

import functools
import warnings

from minitorch import amp as _amp
from minitorch.core.dtype import _dtypes

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def _deprecated(old, new):
    warnings.warn(
        f"`torch.cuda.amp.{old}(args...)` is deprecated. Please use `torch.amp.{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(_amp.autocast):
    """`amp.autocast` for CUDA: it warns, and is off."""

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        _deprecated("autocast", "autocast('cuda', args...)")
        super().__init__(
            "cuda",
            enabled=enabled,
            dtype=_dtypes()["float16"] if dtype is None else dtype,
            cache_enabled=cache_enabled,
        )


class GradScaler(_amp.GradScaler):
    """`amp.GradScaler` for CUDA: it warns, and passes everything on."""

    def __init__(
        self,
        init_scale=2.0**16,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        _deprecated("GradScaler", "GradScaler('cuda', args...)")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def custom_fwd(fwd=None, *, cast_inputs=None):
    """`amp.custom_fwd` for CUDA."""
    _deprecated("custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_fwd, device_type="cuda")(fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """`amp.custom_bwd` for CUDA."""
    _deprecated("custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_bwd, device_type="cuda")(bwd)
