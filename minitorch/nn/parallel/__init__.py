"""Modules on many devices; there is one, and the module runs on it."""

from minitorch.nn.modules.module import Module
from minitorch.nn.parallel.data_parallel import DataParallel, data_parallel
from minitorch.nn.parallel.parallel_apply import parallel_apply
from minitorch.nn.parallel.replicate import replicate
from minitorch.nn.parallel.scatter_gather import gather, scatter

__all__ = [
    "DataParallel",
    "DistributedDataParallel",
    "data_parallel",
    "gather",
    "parallel_apply",
    "replicate",
    "scatter",
]


class DistributedDataParallel(Module):
    """Run a module in many processes, which cannot be.

    Raises
    ------
    ValueError
        Always: there is no group of processes.
    """

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )


from minitorch.nn.parallel import distributed  # noqa: E402, F401 - it imports what is above
