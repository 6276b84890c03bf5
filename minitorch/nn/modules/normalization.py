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
        return self._normalized(
            input,
            self.running_mean if used else None,
            self.running_var if used else None,
            by_batch,
            share,
        )

    def _normalized(self, input, running_mean, running_var, by_batch, share):
        return F.batch_norm(
            input, running_mean, running_var, self.weight, self.bias, by_batch, share, self.eps
        )


class BatchNorm1d(_BatchNorm):
    """Normalize each channel to mean 0 and variance 1 over the batch.

    The input has the shape ``(N, C)`` or ``(N, C, L)``, the output the same shape. In training, the
    mean and the biased variance of the batch are used; the running variance is unbiased. In evaluation,
    the running statistics are used.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default True
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default True
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or in training with one value per
        channel.

    References
    ----------
    S. Ioffe and C. Szegedy, Batch Normalization, ICML 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.BatchNorm1d(1)(torch.tensor([[1.0], [3.0]])).detach()
    tensor([[-1.0000],
            [ 1.0000]])
    """

    dims, wanted = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Normalize each channel to mean 0 and variance 1 over the batch.

    The input has the shape ``(N, C, H, W)``, the output the same shape. In training, the mean and the
    biased variance of the batch are used; the running variance is unbiased. In evaluation, the running
    statistics are used.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default True
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default True
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or in training with one value per
        channel.

    References
    ----------
    S. Ioffe and C. Szegedy, Batch Normalization, ICML 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.BatchNorm2d(3)(torch.zeros(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    dims, wanted = (4,), "4D"


class BatchNorm3d(_BatchNorm):
    """Normalize each channel to mean 0 and variance 1 over the batch.

    The input has the shape ``(N, C, D, H, W)``, the output the same shape. In training, the mean and
    the biased variance of the batch are used; the running variance is unbiased. In evaluation, the
    running statistics are used.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default True
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default True
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or in training with one value per
        channel.

    References
    ----------
    S. Ioffe and C. Szegedy, Batch Normalization, ICML 2015.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.BatchNorm3d(3)(torch.zeros(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 4, 4, 4])
    """

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
    """Normalize each channel of each example to mean 0 and variance 1.

    The input has the shape ``(N, C, L)`` or ``(C, L)``, the output the same shape.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default False
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default False
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or with one value per channel.

    References
    ----------
    D. Ulyanov et al., Instance Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.InstanceNorm1d(1)(torch.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """

    dims, wanted = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Normalize each channel of each example to mean 0 and variance 1.

    The input has the shape ``(N, C, H, W)`` or ``(C, H, W)``, the output the same shape.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default False
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default False
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or with one value per channel.

    References
    ----------
    D. Ulyanov et al., Instance Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.InstanceNorm2d(3)(torch.zeros(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    dims, wanted = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Normalize each channel of each example to mean 0 and variance 1.

    The input has the shape ``(N, C, D, H, W)`` or ``(C, D, H, W)``, the output the same shape.

    Parameters
    ----------
    num_features : int
        The number C of channels.
    eps : float, default 1e-05
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of a batch in the running statistics; None averages all batches evenly.
    affine : bool, default False
        Learn a weight and a bias for each channel.
    track_running_stats : bool, default False
        Keep a running mean and variance, which evaluation uses.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        When the layer is called with another number of dimensions, or with one value per channel.

    References
    ----------
    D. Ulyanov et al., Instance Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.InstanceNorm3d(3)(torch.zeros(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 4, 4, 4])
    """

    dims, wanted = (4, 5), "4D or 5D"


class LayerNorm(Module):
    """Normalize each example over its last dimensions.

    The input has the shape ``(*, *normalized_shape)``; the output has the same shape and dtype. The
    variance is the biased one.

    Parameters
    ----------
    normalized_shape : int or list of int
        The sizes of the last dimensions.
    eps : float, default 1e-05
        Added to the variance.
    elementwise_affine : bool, default True
        Learn a weight and a bias of this shape.
    bias : bool, default True
        Whether the affine map includes a bias.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        When the layer is called with other last dimensions.

    References
    ----------
    J. Ba et al., Layer Normalization, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LayerNorm(2)(torch.tensor([[1.0, 3.0]])).detach()
    tensor([[-1.0000,  1.0000]])
    """

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
    """Normalize each group of channels of each example.

    The input has the shape ``(N, C, *)``; the output has the same shape and dtype.

    Parameters
    ----------
    num_groups : int
    num_channels : int
        The number C of channels, divisible by `num_groups`.
    eps : float, default 1e-05
        Added to the variance.
    affine : bool, default True
        Learn a weight and a bias for each channel.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.
    bias : bool, default True
        Whether `affine` includes a bias.

    Raises
    ------
    ValueError
        If `num_channels` is not divisible by `num_groups`.

    References
    ----------
    Y. Wu and K. He, Group Normalization, ECCV 2018.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.GroupNorm(2, 4)(torch.zeros(1, 4, 3)).shape
    torch.Size([1, 4, 3])
    """

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
