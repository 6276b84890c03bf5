"""Batch normalization with the statistics of all processes.

Only where a process group may exist is `minitorch.distributed` imported, by the functions that need it.
"""

from minitorch.autograd.function import Function
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.nn.modules.normalization import _BatchNorm

__all__ = ["SyncBatchNorm"]


class SyncBatchNorm(_BatchNorm):
    """Batch normalization whose statistics in training are those of the batches of all processes.

    The input has the shape ``(N, C, ...)``, the output the same shape. The gradients are those of the common
    statistics, so training on several processes is the same as training on one with the whole batch. Without a process
    group, it is the same as `BatchNorm2d`, for inputs with at least two dimensions.

    Parameters
    ----------
    num_features, eps, momentum, affine, track_running_stats, device, dtype, bias
        See `BatchNorm2d`.
    process_group : ProcessGroup, optional
        The default is the default process group.

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
        group = _group_of(self.process_group) if by_batch and self.training else None
        if group is None:
            return super()._normalized(input, running_mean, running_var, by_batch, share)
        return _synchronized_batch_norm(
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


class _SumOverRanks(Function):
    """The sum of a tensor over the processes; its gradient is the sum of theirs."""

    @staticmethod
    def forward(ctx, group, value):
        ctx.group = group
        return _summed(value, group)

    @staticmethod
    def backward(ctx, gradient):
        return None, _summed(gradient, ctx.group)


def _summed(value, group):
    from minitorch.distributed.distributed_c10d import all_reduce

    total = value.detach().clone().contiguous()
    all_reduce(total, group=group)
    return total


def _group_of(process_group):
    """Return the group to synchronize with, or None if there is only this process."""
    from minitorch.distributed.distributed_c10d import _get_default_group, is_initialized

    if not is_initialized():
        return None
    group = process_group if process_group is not None else _get_default_group()
    return group if group.size() > 1 else None


def _synchronized_batch_norm(input, running_mean, running_var, weight, bias, momentum, eps, group):
    """Normalize each channel with the mean and the variance over the batches of all processes.

    Parameters
    ----------
    input : Tensor
        Of shape (N, C, ...), where N may differ between the processes.
    running_mean, running_var : Tensor or None
        Changed in place.
    weight, bias : Tensor or None
    momentum, eps : float
    group : ProcessGroup

    Returns
    -------
    Tensor

    Notes
    -----
    The variance is the mean of the squared distances from the common mean. This takes one more reduction than the
    difference of the mean square and the squared mean, which loses digits when the mean is large.
    """
    channels = input.size(1)
    dims = [d for d in range(input.dim()) if d != 1]
    shape = [1, channels] + [1] * (input.dim() - 2)
    count = _summed(tensor([input.numel() // channels]), group).item()
    mean = _SumOverRanks.apply(group, input.sum(dims)) / count
    centered = input - mean.view(shape)
    variance = _SumOverRanks.apply(group, (centered * centered).sum(dims)) / count
    if running_mean is not None:
        with no_grad():
            unbiased = variance.detach() * (count / max(count - 1, 1))
            running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
            running_var.mul_(1 - momentum).add_(unbiased, alpha=momentum)
    result = centered * (variance + eps).rsqrt().view(shape)
    if weight is not None:
        result = result * weight.view(shape)
    return result if bias is None else result + bias.view(shape)
