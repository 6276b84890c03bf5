"""RMS normalization, normalization over neighboring channels, synchronized batch norm."""

from numbers import Integral

from minitorch.autograd.functions.creation import arange
from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty
from minitorch.nn.modules.module import Module
from minitorch.nn.modules.normalization import _BatchNorm
from minitorch.nn.parameter import Parameter


class RMSNorm(Module):
    """Divides each example by the root mean square of its last dimensions.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The sizes of the last dimensions.
    eps : float, optional
        Added to the mean square; by default the machine epsilon of float32 or float64.
    elementwise_affine : bool, default True
        Multiply by learnable weights.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.RMSNorm(2, elementwise_affine=False)(torch.tensor([[1.0, 7.0]]))
    tensor([[0.2000, 1.4000]])

    References
    ----------
    Zhang and Sennrich 2019.
    """

    def __init__(
        self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None
    ):
        super().__init__()
        if isinstance(normalized_shape, Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = (
            Parameter(empty(self.normalized_shape, device=device, dtype=dtype))
            if elementwise_affine
            else None
        )
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self):
        """Set the weight to 1."""
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class LocalResponseNorm(Module):
    """Divide each element by a power of the mean square of neighbouring channels.

    The result is ``input / (k + alpha * mean(x**2))**beta``. The input has the shape ``(N, C, *)``; the
    output has the same shape and dtype.

    Parameters
    ----------
    size : int
        The number of neighbouring channels.
    alpha : float, default 0.0001
    beta : float, default 0.75
    k : float, default 1.0

    Raises
    ------
    ValueError
        When the input has fewer than three dimensions.

    References
    ----------
    A. Krizhevsky et al., ImageNet Classification with Deep Convolutional Neural Networks, NeurIPS 2012.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LocalResponseNorm(1, alpha=3.0, beta=1.0)(torch.ones(1, 1, 1))
    tensor([[[0.2500]]])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class CrossMapLRN2d(LocalResponseNorm):
    """Apply `LocalResponseNorm` to images; an even `size` sums over ``size - 1`` channels.

    The input has the shape ``(N, C, H, W)``; the output has the same shape and dtype.

    Parameters
    ----------
    size : int
        The number of neighbouring channels.
    alpha : float, default 0.0001
    beta : float, default 0.75
    k : float, default 1

    Raises
    ------
    ValueError
        When the input has another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.CrossMapLRN2d(1, alpha=3.0, beta=1.0)(torch.ones(1, 1, 1, 1))
    tensor([[[[0.2500]]]])
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size, alpha, beta, k)

    def forward(self, input):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        reach = int((self.size - 1) / 2 + 1)
        squares = (input * input).flatten(2).unsqueeze(1)
        width = 2 * reach - 1
        padded = F.pad(squares, (0, 0, reach - 1, reach - 1))
        total = F.avg_pool2d(padded, (width, 1), 1) * width
        # in PyTorch's running sum, the first channel is never removed; the gradient is that of this
        # value
        first = squares[:, :, :1] * (arange(0, input.size(1)) >= reach).view(1, 1, -1, 1)
        scale = ((total + first) * (self.alpha / self.size) + self.k).view(input.size())
        return input * scale.pow(-self.beta)


class SyncBatchNorm(_BatchNorm):
    """Batch normalization whose statistics in training are those of the batches of all processes.

    The input has the shape ``(N, C, ...)``, the output the same shape. The gradients are those of the common
    statistics, so training on several processes is the same as training on one with the whole batch. Without a process
    group, it is the same as `BatchNorm2d`, for inputs with at least two dimensions.

    Parameters
    ----------
    num_features, eps, momentum, affine, track_running_stats, bias
        See `BatchNorm2d`.
    process_group : ProcessGroup, optional
        The default is the default process group.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        When called with fewer than two dimensions, or with no channels.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.SyncBatchNorm(2)(torch.tensor([[1.0, 1.0], [-1.0, -1.0]])).detach()
    tensor([[ 1.0000,  1.0000],
            [-1.0000, -1.0000]])
    """

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def _normalized(self, input, running_mean, running_var, by_batch, share):
        # only here are process groups needed
        from minitorch.nn.modules._synchronized import group_of, synchronized_batch_norm

        group = group_of(self.process_group) if by_batch and self.training else None
        if group is None:
            return super()._normalized(input, running_mean, running_var, by_batch, share)
        return synchronized_batch_norm(
            input, running_mean, running_var, self.weight, self.bias, share, self.eps, group
        )

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """Return the module with every batch normalization layer in it replaced by this class.

        Examples
        --------
        >>> import minitorch as torch
        >>> model = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
        >>> type(torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)[0]).__name__
        'SyncBatchNorm'
        """
        result = module
        if isinstance(module, _BatchNorm) and not isinstance(module, cls):
            result = cls(
                module.num_features, module.eps, module.momentum, module.affine,
                module.track_running_stats, process_group, bias=module.bias is not None,
            )  # fmt: skip
            result.weight, result.bias = module.weight, module.bias
            result.running_mean, result.running_var = module.running_mean, module.running_var
            result.num_batches_tracked = module.num_batches_tracked
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result
