"""Communication hooks of `DistributedDataParallel`: other ways to reduce a bucket of gradients."""

from enum import Enum
from functools import partial

from minitorch.distributed.algorithms.ddp_comm_hooks import default_hooks

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


class DDPCommHookType(Enum):
    """Names of the hooks that `register_ddp_comm_hook` registers.

    Examples
    --------
    >>> from minitorch.distributed.algorithms.ddp_comm_hooks import DDPCommHookType
    >>> DDPCommHookType.FP16_COMPRESS.name
    'FP16_COMPRESS'
    """

    ALLREDUCE = partial(default_hooks.allreduce_hook)
    FP16_COMPRESS = partial(default_hooks.fp16_compress_hook)
    BF16_COMPRESS = partial(default_hooks.bf16_compress_hook)


def register_ddp_comm_hook(comm_hook_type, model, state=None):
    """Register one of the hooks of this package.

    Parameters
    ----------
    comm_hook_type : DDPCommHookType
    model : DistributedDataParallel
    state : object
        The first argument of the hook; for these hooks a process group, or None for the default one.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> from minitorch.distributed.algorithms import ddp_comm_hooks
    >>> dist.init_process_group("mpi")
    >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> ddp_comm_hooks.register_ddp_comm_hook(
    ...     ddp_comm_hooks.DDPCommHookType.BF16_COMPRESS, model
    ... )
    >>> model(torch.ones(1, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[1., 1.]])
    >>> dist.destroy_process_group()
    """
    model.register_comm_hook(state, comm_hook_type.value)
