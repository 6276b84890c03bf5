"""Deprecated names of mixed precision on GPUs, which issue warnings and have no effect."""

import functools

from minitorch import amp as _amp
from minitorch.amp._old_names import OldAutocast, OldGradScaler, deprecated

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(OldAutocast):
    """Deprecated version of `amp.autocast` for CUDA; it warns and is disabled."""

    _device, _lower = "cuda", "float16"


class GradScaler(OldGradScaler):
    """Deprecated version of `amp.GradScaler` for CUDA; it warns and does not scale."""

    _device = "cuda"


def custom_fwd(fwd=None, *, cast_inputs=None):
    """Call `amp.custom_fwd` for CUDA, with a deprecation warning."""
    deprecated("cuda", "custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_fwd, device_type="cuda")(fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """Call `amp.custom_bwd` for CUDA, with a deprecation warning."""
    deprecated("cuda", "custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_bwd, device_type="cuda")(bwd)
