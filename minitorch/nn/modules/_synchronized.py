"""Batch normalization with the statistics of all processes; `SyncBatchNorm` imports it when it is called."""

from minitorch.autograd.function import Function
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.distributed.distributed_c10d import (
    _get_default_group,
    all_reduce,
    is_initialized,
)

__all__ = ["group_of", "synchronized_batch_norm"]


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
    total = value.detach().clone().contiguous()
    all_reduce(total, group=group)
    return total


def group_of(process_group):
    """Return the group to synchronize with, or None if there is only this process."""
    if not is_initialized():
        return None
    group = process_group if process_group is not None else _get_default_group()
    return group if group.size() > 1 else None


def synchronized_batch_norm(input, running_mean, running_var, weight, bias, momentum, eps, group):
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
    count = tensor([input.numel() // channels])
    all_reduce(count, group=group)
    count = count.item()
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
