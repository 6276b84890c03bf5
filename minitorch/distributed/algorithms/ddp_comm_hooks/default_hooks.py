"""Hooks that average a bucket, in its own dtype or in a smaller one."""

from minitorch._tensor import Tensor
from minitorch.distributed.distributed_c10d import _get_default_group, all_reduce

__all__ = [
    "allreduce_hook",
    "bf16_compress_hook",
    "bf16_compress_wrapper",
    "fp16_compress_hook",
    "fp16_compress_wrapper",
]


def _averaged(process_group, tensor):
    """Return a future of the average of a tensor, which is changed in place."""
    group = process_group if process_group is not None else _get_default_group()
    tensor.div_(group.size())
    work = all_reduce(tensor, group=group, async_op=True)
    return work.get_future().then(lambda done: done.value()[0])


def allreduce_hook(process_group, bucket):
    """Average the bucket, as `DistributedDataParallel` does without a hook.

    Parameters
    ----------
    process_group : ProcessGroup or None
        None is the default group.
    bucket : GradBucket

    Returns
    -------
    Future

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, default_hooks.allreduce_hook)
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    return _averaged(process_group, bucket.buffer())


def _compressed(process_group, bucket, compress):
    buffer = bucket.buffer()

    def decompressed(done):
        buffer.copy_(done.value())
        return buffer

    return _averaged(process_group, compress(buffer)).then(decompressed)


def fp16_compress_hook(process_group, bucket):
    """Average the bucket in float16, which halves the bytes of float32.

    Parameters
    ----------
    process_group, bucket
        See `allreduce_hook`.

    Returns
    -------
    Future

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, default_hooks.fp16_compress_hook)
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    return _compressed(process_group, bucket, Tensor.half)


def bf16_compress_hook(process_group, bucket):
    """Average the bucket in bfloat16, which halves the bytes of float32 and keeps its range.

    Parameters
    ----------
    process_group, bucket
        See `allreduce_hook`.

    Returns
    -------
    Future

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, default_hooks.bf16_compress_hook)
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    return _compressed(process_group, bucket, Tensor.bfloat16)


def _wrapped(hook, compress):
    def wrapper(hook_state, bucket):
        buffer = bucket.buffer()
        bucket.set_buffer(compress(buffer))

        def decompressed(done):
            bucket.set_buffer(buffer)
            buffer.copy_(done.value())
            return buffer

        return hook(hook_state, bucket).then(decompressed)

    return wrapper


def fp16_compress_wrapper(hook):
    """Return a hook that calls `hook` with the bucket in float16.

    Parameters
    ----------
    hook : callable

    Returns
    -------
    callable

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, default_hooks.fp16_compress_wrapper(default_hooks.allreduce_hook))
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    return _wrapped(hook, Tensor.half)


def bf16_compress_wrapper(hook):
    """Return a hook that calls `hook` with the bucket in bfloat16.

    Parameters
    ----------
    hook : callable

    Returns
    -------
    callable

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model.register_comm_hook(None, default_hooks.bf16_compress_wrapper(default_hooks.allreduce_hook))
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    return _wrapped(hook, Tensor.bfloat16)
