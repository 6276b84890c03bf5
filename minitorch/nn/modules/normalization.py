"""Normalization layers."""

import warnings
from numbers import Integral

from minitorch.core.dtype import _dtypes
from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty, ones, tensor, zeros
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


class _NormBase(Module):
    """Base class of layers with one weight, bias and running statistics per channel."""

    _version = 2
    dims: tuple[int, ...] = ()  # numbers of dimensions of the input
    wanted = ""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        weight = Parameter(empty((num_features,), device=device, dtype=dtype)) if affine else None
        self.register_parameter("weight", weight)
        has_bias = affine and bias
        self.register_parameter(
            "bias",
            Parameter(empty((num_features,), device=device, dtype=dtype)) if has_bias else None,
        )
        if track_running_stats:
            self.register_buffer("running_mean", zeros((num_features,), device=device, dtype=dtype))
            self.register_buffer("running_var", ones((num_features,), device=device, dtype=dtype))
            self.register_buffer(
                "num_batches_tracked", tensor(0, device=device, dtype=_dtypes()["int64"])
            )
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self):
        """Reset the running mean to 0, the running variance to 1 and the number of batches to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        """Set the weight to 1 and the bias to 0, and reset the running statistics."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
        key = prefix + "num_batches_tracked"
        # version 1 has no num_batches_tracked
        if self.track_running_stats and (local_metadata.get("version") or 1) < 2:
            if key not in state_dict and self.num_batches_tracked is not None:
                state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

    def _check_input_dim(self, input):
        if not self.dims:  # a program's subclass of the base class
            raise NotImplementedError
        if input.dim() not in self.dims:
            raise ValueError(f"expected {self.wanted} input (got {input.dim()}D input)")

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_NormBase):
    def forward(self, input):
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the cumulative mean over all batches
                share = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        used = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if used else None,
            self.running_var if used else None,
            self.weight,
            self.bias,
            by_batch,
            share,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalization of (N, C) or (N, C, L)."""

    dims, wanted = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Batch normalization of (N, C, H, W)."""

    dims, wanted = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    """Batch normalization of (N, C, D, H, W)."""

    dims, wanted = (5,), "5D"


_UNEXPECTED_STATISTICS = (
    "Unexpected running stats buffer(s) {names} for {kind} with track_running_stats=False. If state_dict is a "
    "checkpoint saved before 0.4.0, this may be expected because {kind} does not track running stats by default "
    "since 0.4.0. Please remove these keys from state_dict. If the running stats are actually needed, instead set "
    "track_running_stats=True in {kind} to enable them. See the documentation of {kind} for details."
)


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        if local_metadata.get("version") is None and not self.track_running_stats:
            keys = [f"{prefix}{name}" for name in ("running_mean", "running_var")]
            keys = [key for key in keys if key in state_dict]
            if keys:
                error_msgs.append(
                    _UNEXPECTED_STATISTICS.format(
                        names=" and ".join(f'"{key}"' for key in keys), kind=type(self).__name__
                    )
                )
            for key in keys:
                state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )

    def _get_no_batch_dim(self):
        """Return the number of dimensions of an input without a batch dimension."""
        if not self.dims:
            raise NotImplementedError
        return self.dims[0]

    def forward(self, input):
        self._check_input_dim(input)
        alone = input.dim() == self._get_no_batch_dim()
        at = 0 if alone else 1
        if input.size(at) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={at} to match num_features "
                    f"({self.num_features}), but got: {input.size(at)}."
                )
            warnings.warn(
                f"input's size at dim={at} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        result = F.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return result.squeeze(0) if alone else result


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization of (N, C, L) or (C, L)."""

    dims, wanted = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of (N, C, H, W) or (C, H, W)."""

    dims, wanted = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Instance normalization of (N, C, D, H, W) or (C, D, H, W)."""

    dims, wanted = (4, 5), "4D or 5D"


class LayerNorm(Module):
    """Normalizes each example over its last dimensions."""

    def __init__(
        self,
        normalized_shape,
        eps=1e-5,
        elementwise_affine=True,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if isinstance(normalized_shape, Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        weight = Parameter(empty(shape, device=device, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", weight)
        with_bias = elementwise_affine and bias
        self.register_parameter(
            "bias", Parameter(empty(shape, device=device, dtype=dtype)) if with_bias else None
        )
        self.reset_parameters()

    def reset_parameters(self):
        """Set the weight to 1 and the bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class GroupNorm(Module):
    """Normalizes each group of channels of each example."""

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        weight = Parameter(empty((num_channels,), device=device, dtype=dtype)) if affine else None
        self.register_parameter("weight", weight)
        with_bias = affine and bias
        self.register_parameter(
            "bias",
            Parameter(empty((num_channels,), device=device, dtype=dtype)) if with_bias else None,
        )
        self.reset_parameters()

    def reset_parameters(self):
        """Set the weight to 1 and the bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )
