"""Many processes: there is one. Questions are answered, and what needs others raises.

As in a PyTorch without it, `is_available` is False; packages that ask go on alone.
"""

from minitorch._absent import Absent, absent
from minitorch.distributed._stores import (
    DistError,
    DistNetworkError,
    DistStoreError,
    FileStore,
    HashStore,
    PrefixStore,
    Store,
    TCPStore,
)

__all__ = [
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "HashStore",
    "PrefixStore",
    "ProcessGroup",
    "ReduceOp",
    "Store",
    "TCPStore",
    "all_gather",
    "all_gather_object",
    "all_reduce",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "get_backend",
    "get_rank",
    "get_world_size",
    "group",
    "init_process_group",
    "is_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "new_group",
    "recv",
    "reduce",
    "reduce_scatter",
    "scatter",
    "send",
]


class ProcessGroup(Absent):
    """Processes that talk to each other."""


class group:
    """The group of all processes: none."""

    WORLD = None


class ReduceOp:
    """How values of processes become one."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


def is_available():
    """Whether processes can work together: no."""
    return False


def is_initialized():
    """Whether this process belongs to a group: no."""
    return False


def is_nccl_available():
    """Whether NCCL is there: no."""
    return False


def is_gloo_available():
    """Whether Gloo is there: no."""
    return False


def is_mpi_available():
    """Whether MPI is there: no."""
    return False


def is_torchelastic_launched():
    """Whether ``torchrun`` started this: no."""
    return False


init_process_group = absent("torch.distributed.init_process_group")


def _needs_group(name):
    def function(*args, **kwargs):
        """Raises ValueError: there is no group."""
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )

    function.__name__ = function.__qualname__ = name
    return function


all_gather = _needs_group("all_gather")
all_gather_object = _needs_group("all_gather_object")
all_reduce = _needs_group("all_reduce")
barrier = _needs_group("barrier")
broadcast = _needs_group("broadcast")
broadcast_object_list = _needs_group("broadcast_object_list")
destroy_process_group = _needs_group("destroy_process_group")
gather = _needs_group("gather")
get_backend = _needs_group("get_backend")
get_rank = _needs_group("get_rank")
get_world_size = _needs_group("get_world_size")
new_group = _needs_group("new_group")
recv = _needs_group("recv")
reduce = _needs_group("reduce")
reduce_scatter = _needs_group("reduce_scatter")
scatter = _needs_group("scatter")
send = _needs_group("send")
