"""Many processes: there is one. Questions are answered, and what needs others raises.

As in a PyTorch without it, `is_available` is False; packages that ask go on alone.
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
    """Processes that talk to each other."""


class Work(Absent):
    """What processes do together while a program goes on."""


class P2POp(Absent):
    """A message to another process, or from it."""


class Backend(str):
    """The name of what carries messages."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"

    def __new__(cls, name):
        """The name in small letters."""
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class group:
    """The group of all processes: none."""

    WORLD = None


class GroupMember:
    """What a process has for a group that it does not belong to."""

    WORLD = None
    NON_GROUP_MEMBER = -100


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


def is_backend_available(backend):
    """Whether there is something of this name that carries messages: no."""
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
