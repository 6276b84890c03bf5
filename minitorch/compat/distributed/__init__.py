"""Distributed computing, which minitorch does not support.

As in a PyTorch build without it, `is_available` returns False, and collective operations raise.
"""

from minitorch.distributed import device_mesh as device_mesh
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
from minitorch.distributed.device_mesh import DeviceMesh, init_device_mesh
from minitorch.namespace.absent import Absent, absent

__all__ = [
    "Backend",
    "DeviceMesh",
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "GroupMember",
    "HashStore",
    "P2POp",
    "PrefixStore",
    "ProcessGroup",
    "ReduceOp",
    "Store",
    "TCPStore",
    "Work",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_object",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group",
    "init_device_mesh",
    "init_process_group",
    "irecv",
    "is_available",
    "is_backend_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "isend",
    "monitored_barrier",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
]


class ProcessGroup(Absent):
    """A group of processes; absent."""


class Work(Absent):
    """Handle of an asynchronous collective operation; absent."""


class P2POp(Absent):
    """A point-to-point operation; absent."""


class Backend(str):
    """Name of a communication backend."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"

    def __new__(cls, name):
        """Create the name in lower case."""
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class group:
    """Holder of the default process group, which is None."""

    WORLD = None


class GroupMember:
    """Markers for membership in process groups."""

    WORLD = None
    NON_GROUP_MEMBER = -100


class ReduceOp:
    """Reduction operations of collectives."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


def is_available():
    """Return False: there is no distributed package."""
    return False


def is_initialized():
    """Return False: there is no process group."""
    return False


def is_nccl_available():
    """Return False: there is no NCCL."""
    return False


def is_gloo_available():
    """Return False: there is no Gloo."""
    return False


def is_mpi_available():
    """Return False: there is no MPI."""
    return False


def is_backend_available(backend):
    """Return False: there are no backends."""
    return False


def is_torchelastic_launched():
    """Return False: the process was not started by ``torchrun``."""
    return False


init_process_group = absent("torch.distributed.init_process_group")


def _needs_group(name):
    def function(*args, **kwargs):
        """Raise ValueError, because there is no process group."""
        raise ValueError(
            "Default process group has not been initialized, please make sure to call "
            "init_process_group."
        )

    function.__name__ = function.__qualname__ = name
    return function


all_gather = _needs_group("all_gather")
all_gather_into_tensor = _needs_group("all_gather_into_tensor")
all_gather_object = _needs_group("all_gather_object")
all_reduce = _needs_group("all_reduce")
all_to_all = _needs_group("all_to_all")
all_to_all_single = _needs_group("all_to_all_single")
barrier = _needs_group("barrier")
batch_isend_irecv = _needs_group("batch_isend_irecv")
broadcast = _needs_group("broadcast")
broadcast_object_list = _needs_group("broadcast_object_list")
destroy_process_group = _needs_group("destroy_process_group")
gather = _needs_group("gather")
gather_object = _needs_group("gather_object")
get_backend = _needs_group("get_backend")
get_global_rank = _needs_group("get_global_rank")
get_group_rank = _needs_group("get_group_rank")
get_process_group_ranks = _needs_group("get_process_group_ranks")
get_rank = _needs_group("get_rank")
get_world_size = _needs_group("get_world_size")
irecv = _needs_group("irecv")
isend = _needs_group("isend")
monitored_barrier = _needs_group("monitored_barrier")
new_group = _needs_group("new_group")
recv = _needs_group("recv")
recv_object_list = _needs_group("recv_object_list")
reduce = _needs_group("reduce")
reduce_scatter = _needs_group("reduce_scatter")
reduce_scatter_tensor = _needs_group("reduce_scatter_tensor")
scatter = _needs_group("scatter")
scatter_object_list = _needs_group("scatter_object_list")
send = _needs_group("send")
send_object_list = _needs_group("send_object_list")
