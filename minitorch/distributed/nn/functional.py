"""Collective operations with derivatives: they return new tensors, and backward passes communicate too.

A loss is taken to be the sum of what the ranks compute from the results, so the gradient of a tensor is the
sum over the ranks that have used it.
"""

from minitorch.autograd.function import Function
from minitorch.autograd.functions.creation import empty_like, zeros_like
from minitorch.distributed import collectives
from minitorch.distributed.groups import _group_or_default, get_rank, get_world_size
from minitorch.distributed.process_group import ReduceOp

__all__ = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "broadcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "scatter",
]


class _AllReduce(Function):
    @staticmethod
    def forward(ctx, op, group, tensor):
        ctx.op, ctx.group = op, group
        tensor = tensor.clone()
        collectives.all_reduce(tensor, op, group)
        return tensor

    @staticmethod
    def backward(ctx, gradient):
        return None, None, _AllReduce.apply(ctx.op, ctx.group, gradient)


class _Broadcast(Function):
    @staticmethod
    def forward(ctx, src, group, tensor):
        ctx.src, ctx.group, ctx.rank = src, group, get_rank()
        tensor = tensor.clone()
        collectives.broadcast(tensor, src, group)
        return tensor

    @staticmethod
    def backward(ctx, gradient):
        gradient = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, gradient)
        return None, None, gradient if ctx.rank == ctx.src else zeros_like(gradient)


class _Reduce(Function):
    @staticmethod
    def forward(ctx, dst, op, group, tensor):
        ctx.dst, ctx.group = dst, group
        tensor = tensor.clone()
        collectives.reduce(tensor, dst, op, group)
        return tensor

    @staticmethod
    def backward(ctx, gradient):
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, gradient)


class _AllGather(Function):
    @staticmethod
    def forward(ctx, group, tensor):
        ctx.group = group
        outputs = [empty_like(tensor) for _ in range(get_world_size(group))]
        collectives.all_gather(outputs, tensor.contiguous(), group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        return None, _ReduceScatter.apply(ReduceOp.SUM, ctx.group, *gradients)


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx, op, group, *tensors):
        ctx.group = group
        output = empty_like(tensors[get_rank(group)])
        collectives.reduce_scatter(output, list(tensors), op, group)
        return output

    @staticmethod
    def backward(ctx, gradient):
        return None, None, *_AllGather.apply(ctx.group, gradient)


class _Gather(Function):
    @staticmethod
    def forward(ctx, dst, group, tensor):
        ctx.dst, ctx.group = dst, group
        outputs = [zeros_like(tensor) for _ in range(get_world_size(group))]
        is_root = get_rank() == dst
        collectives.gather(tensor.contiguous(), outputs if is_root else None, dst, group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *gradients)


class _Scatter(Function):
    @staticmethod
    def forward(ctx, src, group, *tensors):
        ctx.src, ctx.group = src, group
        output = zeros_like(tensors[0])
        is_root = get_rank() == src
        collectives.scatter(output, list(tensors) if is_root else None, src, group)
        return output

    @staticmethod
    def backward(ctx, gradient):
        return None, None, *_Gather.apply(ctx.src, ctx.group, gradient)


class _AllToAll(Function):
    @staticmethod
    def forward(ctx, group, outputs, *tensors):
        ctx.group = group
        ctx.like = tensors
        collectives.all_to_all(list(outputs), [t.contiguous() for t in tensors], group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        outputs = [empty_like(tensor) for tensor in ctx.like]
        return None, None, *_AllToAll.apply(ctx.group, outputs, *gradients)


class _AllToAllSingle(Function):
    @staticmethod
    def forward(ctx, group, output, output_split_sizes, input_split_sizes, tensor):
        ctx.group, ctx.like = group, tensor
        ctx.sizes = input_split_sizes, output_split_sizes
        collectives.all_to_all_single(
            output, tensor.contiguous(), output_split_sizes, input_split_sizes, group
        )
        return output

    @staticmethod
    def backward(ctx, gradient):
        output = empty_like(ctx.like)
        gradient = _AllToAllSingle.apply(ctx.group, output, *ctx.sizes, gradient)
        return None, None, None, None, gradient


def all_reduce(tensor, op=ReduceOp.SUM, group=None):
    """Return the reduction of a tensor over all ranks.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (dist_nn.all_reduce(x) ** 2).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    >>> dist.destroy_process_group()
    """
    return _AllReduce.apply(op, _group_or_default(group), tensor)


def broadcast(tensor, src, group=None):
    """Return the tensor of the rank `src`.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> dist_nn.broadcast(x, src=0).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _Broadcast.apply(src, _group_or_default(group), tensor)


def reduce(tensor, dst, op=ReduceOp.SUM, group=None):
    """Return the reduction of a tensor over all ranks, on the rank `dst`.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> dist_nn.reduce(x, dst=0).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _Reduce.apply(dst, op, _group_or_default(group), tensor)


def all_gather(tensor, group=None):
    """Return a tuple of the tensors of all ranks.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.stack(dist_nn.all_gather(x)).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _AllGather.apply(_group_or_default(group), tensor)


def gather(tensor, dst=0, group=None):
    """Return a tuple of the tensors of all ranks on the rank `dst`, of zeros on the others.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.stack(dist_nn.gather(x, dst=0)).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _Gather.apply(dst, _group_or_default(group), tensor)


def scatter(tensors, src=0, group=None):
    """Return one tensor of the list of the rank `src`.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> parts = [x * rank for rank in range(1, dist.get_world_size() + 1)]
    >>> dist_nn.scatter(parts, src=0).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _Scatter.apply(src, _group_or_default(group), *tensors)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None):
    """Return the reduction over all ranks of the tensor in the list that has this rank's index.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> parts = [x * rank for rank in range(1, dist.get_world_size() + 1)]
    >>> dist_nn.reduce_scatter(torch.empty(2), parts).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _ReduceScatter.apply(op, _group_or_default(group), *input_list)


def all_to_all(output_tensor_list, input_tensor_list, group=None):
    """Return a tuple of what the ranks have sent to this one.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> parts = [x * rank for rank in range(1, dist.get_world_size() + 1)]
    >>> received = dist_nn.all_to_all([torch.empty(2) for _ in parts], parts)
    >>> torch.stack(received).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _AllToAll.apply(_group_or_default(group), output_tensor_list, *input_tensor_list)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None):
    """Return what the ranks have sent to this one, along the first dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.nn import functional as dist_nn
    >>> dist.init_process_group("mpi")
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> sent = x.repeat(dist.get_world_size())
    >>> dist_nn.all_to_all_single(torch.empty_like(sent), sent).sum().backward()
    >>> x.grad
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return _AllToAllSingle.apply(
        _group_or_default(group), output, output_split_sizes, input_split_sizes, input
    )
