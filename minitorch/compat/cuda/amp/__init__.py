"""The old names of mixed precision on GPUs, which warn and are off."""

import functools

from minitorch import amp as _amp
from minitorch.amp._old_names import OldAutocast, OldGradScaler, deprecated

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(OldAutocast):
    """`amp.autocast` for CUDA: it warns, and is off."""

    _device, _lower = "cuda", "float16"


class GradScaler(OldGradScaler):
    """`amp.GradScaler` for CUDA: it warns, and passes everything on."""

    _device = "cuda"


def custom_fwd(fwd=None, *, cast_inputs=None):
    """`amp.custom_fwd` for CUDA."""
    deprecated("cuda", "custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_fwd, device_type="cuda")(fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """`amp.custom_bwd` for CUDA."""
    deprecated("cuda", "custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return functools.partial(_amp.custom_bwd, device_type="cuda")(bwd)
