"""Modules in several processes, and on several devices, of which there is only one here."""

from minitorch.core.lazy import lazy_attributes
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

# imports minitorch.distributed
__getattr__ = lazy_attributes(
    __name__,
    "distributed",
    "reducer",
    names={"DistributedDataParallel": "minitorch.nn.parallel.distributed"},
)
