"""Modules on several devices; there is only one device here, and the module runs on it."""

from minitorch.nn.parallel.data_parallel import DataParallel, data_parallel
from minitorch.nn.parallel.distributed import DistributedDataParallel
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
