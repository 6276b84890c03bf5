"""Modules on several devices; there is only one device here, and the module runs on it."""

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
    """A module that runs in several processes; not supported.

    Raises
    ------
    ValueError
        Always, because there is no process group.
    """

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )


from minitorch.nn.parallel import distributed  # noqa: E402, F401 - it imports what is above
