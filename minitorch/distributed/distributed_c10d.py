"""Process groups and collective operations, under the names of PyTorch's module of the same name.

Each collective checks its arguments, describes itself in a tuple that has to be the same on all ranks, and gives
`worker` a function that calls MPI on the memory of the tensors. Contiguous tensors are not copied.
"""

import itertools
import os
import pickle
import warnings
from datetime import timedelta

from minitorch._tensor import Tensor
from minitorch.autograd import no_grad
from minitorch.autograd.functions.creation import empty_ as empty
from minitorch.distributed import mpi
from minitorch.distributed._stores import PrefixStore, Store
from minitorch.distributed.constants import default_pg_timeout
from minitorch.distributed.process_group import Backend, GroupMember, ProcessGroup, ReduceOp, group
from minitorch.distributed.work import Message, Work, worker

__all__ = [
    "Backend",
    "GroupMember",
    "PrefixStore",
    "ProcessGroup",
    "ReduceOp",
    "Store",
    "Work",
    "all_gather",
    "all_reduce",
    "barrier",
    "broadcast",
    "default_pg_timeout",
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_node_local_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group",
    "init_process_group",
    "is_backend_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "new_group",
    "new_subgroups",
    "new_subgroups_by_enumeration",
]

_NO_GROUP = (
    "Default process group has not been initialized, please make sure to call init_process_group."
)


# -- What is available ------------------------------------------------------------------------------


def is_available():
    """Return True: the package is part of minitorch. `is_mpi_available` says whether it can be used."""
    return True


def is_mpi_available():
    """Return whether mpi4py is installed, which every process group needs."""
    return mpi.is_installed()


def is_gloo_available():
    """Return whether a program that asks for Gloo can run, on MPI."""
    return mpi.is_installed()


def is_nccl_available():
    """Return False: there is no NCCL, since there is no GPU."""
    return False


def is_backend_available(backend):
    """Return whether a program that asks for the CPU backend `backend` can run, on MPI."""
    return backend.lower() in ("mpi", "gloo") and mpi.is_installed()


def is_torchelastic_launched():
    """Return whether a launcher such as ``torchrun`` started the process."""
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_initialized():
    """Return whether there is a default process group."""
    return GroupMember.WORLD is not None


# -- Groups -----------------------------------------------------------------------------------------

_groups = {}
_names = itertools.count()
_base = []
_noticed = set()


def _get_default_group():
    """Return the default process group; raise ValueError if there is none."""
    if GroupMember.WORLD is None:
        raise ValueError(_NO_GROUP)
    return GroupMember.WORLD


def _rank_not_in_group(group):
    """Return whether this process is not a member of `group`; None is the default group."""
    return group is GroupMember.NON_GROUP_MEMBER or group == GroupMember.NON_GROUP_MEMBER


def _group_or_default(group):
    return _get_default_group() if group is None else group


def _backend(name):
    """Return the name of the backend that a program asks for, with a notice if it is not MPI."""
    if name is None:
        return Backend("mpi")
    name = Backend(name)
    names = [part.rpartition(":")[2] for part in name.split(",")]
    for part in names:
        if part not in Backend.backend_list or part == "undefined":
            raise ValueError(f"Unknown c10d backend type {part.upper()}")
    if names != ["mpi"] and name not in _noticed:
        _noticed.add(name)
        warnings.warn(
            f"minitorch has one backend, MPI, on which it runs what asks for {str(name)!r}",
            stacklevel=3,
        )
    return name


def _set_variables(communicator):
    """Set the variables of ``torchrun`` that are not set, as after a start with ``mpiexec``."""
    local = communicator.comm.Split_type(mpi.start().COMM_TYPE_SHARED, communicator.rank)
    for name, value in (
        ("RANK", communicator.rank),
        ("WORLD_SIZE", communicator.size),
        ("LOCAL_RANK", local.rank),
        ("LOCAL_WORLD_SIZE", local.size),
        ("MASTER_ADDR", "127.0.0.1"),
        ("MASTER_PORT", 29500),
    ):
        os.environ.setdefault(name, str(value))
    local.Free()


def _wanted(name, argument):
    """Return the number that an argument or an environment variable gives, or None."""
    if argument >= 0:
        return argument
    text = os.environ.get(name)
    return int(text) if text else None


def init_process_group(
    backend=None,
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
    _ranks=None,
):
    """Create the default process group, of all processes that ``mpiexec`` has started.

    A process that was not started by ``mpiexec`` becomes a group of one.

    Parameters
    ----------
    backend : str, optional
        ``"mpi"``. The names of PyTorch's other backends mean the same, with a warning.
    init_method : str, optional
        Ignored but for its form: MPI knows the processes.
    timeout : timedelta, optional
        How long an operation may take, 30 minutes by default. Then the job is ended.
    world_size, rank : int, optional
        The number of processes and the index of this one. They have to be those of the job;
        if not given, they are taken from the environment variables ``WORLD_SIZE`` and ``RANK``.
    store : Store, optional
        Ignored.
    group_name : str
    pg_options, device_id : object, optional
        Ignored.

    Raises
    ------
    ImportError
        If mpi4py or an MPI library is missing.
    ValueError
        If there is a default group, or the backend has no known name.
    RuntimeError
        If `world_size` or `rank` are not those of the job.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")  # doctest: +SKIP
    >>> dist.get_rank(), dist.get_world_size()  # doctest: +SKIP
    (0, 1)
    >>> dist.destroy_process_group()  # doctest: +SKIP
    """
    if GroupMember.WORLD is not None:
        raise ValueError("trying to initialize the default process group twice!")
    if timeout is not None and not isinstance(timeout, timedelta):
        raise TypeError(
            f"Expected timeout argument to be of type datetime.timedelta, got {timeout}"
        )
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    backend = _backend(backend)
    if not _base:
        comm = mpi.start().COMM_WORLD.Dup()
        _base.append(mpi.Communicator(comm, list(range(comm.size))))
    communicator = _base[0]
    wanted = _wanted("WORLD_SIZE", world_size)
    if wanted is not None and wanted != communicator.size:
        raise RuntimeError(
            f"world_size is {wanted}, but MPI has started {communicator.size} "
            f"process{'es' * (communicator.size > 1)}; start the program with `mpiexec -n {wanted} python "
            f"program.py` or `python -m minitorch.distributed.run --nproc-per-node {wanted} program.py`"
        )
    wanted = _wanted("RANK", rank)
    if wanted is not None and wanted != communicator.rank:
        raise RuntimeError(f"rank is {wanted}, but MPI has given this process {communicator.rank}")
    _set_variables(communicator)
    worker.start()
    mpi.on_exit(communicator, worker.drain)
    mpi.end_of_job.install(communicator.rank)
    group = ProcessGroup(
        communicator, group_name or str(next(_names)), backend, timeout, "default_pg"
    )
    worker.run(group, ("init_process_group",), None, [], False)
    GroupMember.WORLD = _groups[group.group_name] = group


def destroy_process_group(group=None):
    """Forget a process group, after the end of its operations; without `group`, all of them.

    Parameters
    ----------
    group : ProcessGroup, optional

    Raises
    ------
    ValueError
        If the group does not exist.
    """
    if _rank_not_in_group(group):
        return
    if group is None or group is GroupMember.WORLD:
        _get_default_group()
        worker.drain()
        _groups.clear()
        GroupMember.WORLD = None
        mpi.end_of_job.remove()
        return
    if _groups.pop(group.group_name, None) is None:
        raise ValueError("Invalid process group specified")
    worker.drain()


def get_rank(group=None):
    """Return the rank of this process in the group, or -1 if it is not a member."""
    if _rank_not_in_group(group):
        return -1
    return _group_or_default(group).rank()


def get_world_size(group=None):
    """Return the number of processes of the group, or -1 if this process is not a member."""
    if _rank_not_in_group(group):
        return -1
    return _group_or_default(group).size()


def get_backend(group=None):
    """Return the name of the backend that the program asked for.

    Raises
    ------
    ValueError
        If this process is not a member of the group.
    """
    group = _group_or_default(group)
    if _rank_not_in_group(group):
        raise ValueError("Invalid process group specified")
    return Backend(group.backend)


def get_node_local_rank(fallback_rank=None):
    """Return the rank of this process on its machine, from the variable ``LOCAL_RANK``.

    Parameters
    ----------
    fallback_rank : int, optional
        The result if the variable is not set.

    Raises
    ------
    RuntimeError
        If the variable is not set and there is no `fallback_rank`.
    """
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError(
        "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
        "`get_node_local_rank` to work, assuming you are not running in a multi-device context "
        "and want the code to run locally instead."
    )


def get_global_rank(group, group_rank):
    """Return the rank in the default group of the process with rank `group_rank` in `group`."""
    if group is GroupMember.WORLD:
        return group_rank
    if not 0 <= group_rank < len(group.ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return group.ranks[group_rank]


def get_group_rank(group, global_rank):
    """Return the rank in `group` of the process with rank `global_rank` in the default group."""
    if global_rank not in group.ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return group.ranks.index(global_rank)


def get_process_group_ranks(group):
    """Return the ranks in the default group of the members of `group`, by their rank in it."""
    return list(_group_or_default(group).ranks)


def new_group(
    ranks=None,
    timeout=None,
    backend=None,
    pg_options=None,
    use_local_synchronization=False,
    group_desc=None,
    device_id=None,
    sort_ranks=True,
):
    """Create a group of some of the processes; all processes of the default group have to call it.

    Parameters
    ----------
    ranks : list of int, optional
        The ranks of the members in the default group; all if not given.
    timeout : timedelta, optional
    backend : str, optional
    pg_options, device_id : object, optional
        Ignored.
    use_local_synchronization : bool
        Let only the members call it.
    group_desc : str, optional
    sort_ranks : bool
        Whether the ranks in the new group have the order of the ranks in the default group.

    Returns
    -------
    ProcessGroup or int
        The group, or ``GroupMember.NON_GROUP_MEMBER`` in processes that are not members.

    Raises
    ------
    ValueError
        If a rank is not one of the default group, or there are too many of them.
    """
    world = _get_default_group()
    size = world.size()
    ranks = list(range(size)) if ranks is None else list(ranks)
    ranks = sorted(ranks) if sort_ranks else ranks
    if len(ranks) > size:
        raise ValueError(
            "the new group's world size should be less or equal to the world size set by "
            "init_process_group"
        )
    for rank in ranks:
        if not 0 <= rank < size:
            raise ValueError(
                "The new group's rank should be within the world_size set by init_process_group"
            )
    backend = world.backend if backend is None else _backend(backend)
    member = world.rank() in ranks
    name = str(next(_names))
    if use_local_synchronization and not member:
        return GroupMember.NON_GROUP_MEMBER
    made = []
    MPI = mpi.start()

    def split():
        color, key = (0, ranks.index(world.rank())) if member else (MPI.UNDEFINED, 0)
        made.append(world.comm.Split(color, key))

    if use_local_synchronization:
        members = world.comm.Get_group().Incl(ranks)
        made.append(world.comm.Create_group(members, tag=hash(tuple(ranks)) & 0x3FFF))
    else:
        worker.run(world, ("new_group", ("ranks", tuple(ranks))), split, [], False)
    if not member:
        return GroupMember.NON_GROUP_MEMBER
    communicator = mpi.Communicator(made[0], ranks)
    group = ProcessGroup(communicator, name, backend, timeout, group_desc or "undefined")
    _groups[name] = group
    return group


def new_subgroups(
    group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None
):
    """Divide the default group into groups of neighbours.

    Parameters
    ----------
    group_size : int, optional
        The size of each; the number of processes on a machine if not given.
    group : ProcessGroup, optional
        The default group, the only one that can be divided.
    timeout, backend, pg_options, group_desc : optional
        Passed to `new_group`.

    Returns
    -------
    tuple of ProcessGroup and list of ProcessGroup
        The group of this process, and all of them.

    Raises
    ------
    ValueError
        If the size of the default group is not a multiple of `group_size`.
    """
    world_size = get_world_size()
    if group_size is None:
        group_size = int(os.environ["LOCAL_WORLD_SIZE"])
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    if world_size < group_size:
        raise ValueError(
            f"The arg 'group_size' ({group_size}) must not exceed the world size ({world_size})"
        )
    if world_size % group_size:
        raise ValueError(
            f"The world size ({world_size}) must be divisible by 'group_size={group_size}'"
        )
    lists = [list(range(i, i + group_size)) for i in range(0, world_size, group_size)]
    return new_subgroups_by_enumeration(lists, timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None
):
    """Divide the default group into groups with the given ranks.

    Parameters
    ----------
    ranks_per_subgroup_list : list of list of int
    timeout, backend, pg_options, group_desc : optional
        Passed to `new_group`.

    Returns
    -------
    tuple of ProcessGroup and list of ProcessGroup
        The group of this process, None if it is in none of them, and all of them.

    Raises
    ------
    ValueError
        If the list is None or a rank is in two groups.
    """
    if ranks_per_subgroup_list is None or len(ranks_per_subgroup_list) == 0:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    of_rank = {}
    for ranks in ranks_per_subgroup_list:
        for rank in ranks:
            if rank in of_rank:
                raise ValueError(
                    f"Rank {rank} has appeared in both subgroup {of_rank[rank]} and {ranks}"
                )
            of_rank[rank] = ranks
    mine, groups = None, []
    for ranks in ranks_per_subgroup_list:
        made = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        groups.append(made)
        if get_rank() in ranks:
            mine = made
    return mine, groups


# -- What all operations use ------------------------------------------------------------------------


def _check_single_tensor(param, name):
    if not isinstance(param, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n"
            f"             but got {type(param)} instead."
        )


def _check_tensor_list(param, name):
    if not isinstance(param, list):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(param)} instead."
        )
    if not all(isinstance(p, Tensor) for p in param):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(param)} with elements of type {[type(p) for p in param]}."
        )


def _ensure_all_tensors_same_dtype(*tensors):
    last = None
    for tensor in itertools.chain.from_iterable(
        t if isinstance(t, (list, tuple)) else [t] for t in tensors
    ):
        if last is None:
            last = tensor.dtype
        elif last != tensor.dtype:
            raise ValueError(
                f"Invalid usage of tensors with different dtypesFound {last} and  {tensor.dtype}"
            )


def _is_outside(group, name):
    """Return whether this process is not a member of `group`, after the warning of PyTorch."""
    if not _rank_not_in_group(group):
        return False
    rank = -1 if GroupMember.WORLD is None else GroupMember.WORLD.rank()
    warnings.warn(
        f"Running {name} on global rank {rank} which does not belong to the given group.",
        stacklevel=3,
    )
    return True


def _root(group, global_rank, group_rank, name, default=None):
    """Return the rank in `group` that an operation's two arguments for a rank name."""
    if global_rank is not None and group_rank is not None:
        raise ValueError(f"Can't specify both group_{name} and global_{name}")
    if global_rank is None and group_rank is None:
        if default is None:
            raise ValueError(f"Must specify global_{name} or group_{name}")
        global_rank = default
    if group_rank is not None:
        if not 0 <= group_rank < group.size():
            raise ValueError(f"Group rank {group_rank} is not part of group {group}")
        return group_rank
    if group is GroupMember.WORLD and 0 <= global_rank < group.size():
        return global_rank
    return get_group_rank(group, global_rank)


def _describe(name, tensor, *details):
    """Return what has to be the same on all ranks."""
    return (name, ("shape", tuple(tensor.shape)), ("dtype", str(tensor.dtype)), *details)


def _real(tensor):
    """Return a complex tensor as one of real numbers; another one as it is."""
    return tensor.resolve_conj().view(tensor.real.dtype) if tensor.is_complex() else tensor


def _contiguous(tensor):
    with no_grad():
        return tensor.detach().contiguous()


def _copy(target, source):
    with no_grad():
        target.detach().copy_(source)


def _flat(count, like):
    """Return an empty contiguous tensor for `count` tensors like `like`."""
    return empty((count, *like.shape), dtype=like.dtype)


# -- Reductions -------------------------------------------------------------------------------------


def _reduction(tensor, op):
    """Return MPI's operation for tensors like `tensor`, or None if MPI cannot reduce them."""
    name = ReduceOp(op.op if isinstance(op, ReduceOp) else op).name
    dtype = tensor.dtype
    if name in ("BAND", "BOR", "BXOR") and (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"Cannot use ReduceOp.{name} with non-integral dtype")
    if dtype not in mpi.datatypes():
        return None
    if str(dtype) == "torch.bool":
        return mpi.operations_on_bool()[name]
    return mpi.operations()[name]


_ROWS = {
    "SUM": lambda rows: rows.sum(0, dtype=rows.dtype),
    "AVG": lambda rows: rows.sum(0, dtype=rows.dtype),
    "PRODUCT": lambda rows: rows.prod(0, dtype=rows.dtype),
    "MIN": lambda rows: rows.amin(0),
    "MAX": lambda rows: rows.amax(0),
}


def _reduce_rows(rows, op):
    """Return the reduction of a tensor over its first dimension, for dtypes that MPI does not know."""
    return _ROWS[op.name](rows)


def _average(tensor, op, size):
    if op == ReduceOp.AVG:
        mode = None if tensor.is_floating_point() or tensor.is_complex() else "trunc"
        with no_grad():
            tensor.div_(size, rounding_mode=mode)


def _check_complex(name, tensor, op):
    if tensor.is_complex() and op not in (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PREMUL_SUM):
        raise ValueError(f"{name} does not support {op} on complex tensors")


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Reduce a tensor over all ranks, in place; every rank gets the result.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    op : ReduceOp
    group : ProcessGroup, optional
        The default group if not given.
    async_op : bool
        Return a `Work` at once, instead of waiting for the result.

    Returns
    -------
    Work or None

    Raises
    ------
    RuntimeError
        On every rank, if the ranks call different operations or tensors differ in shape or dtype.
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "all_reduce"):
        return None
    _check_complex("all_reduce", tensor, op)
    group = _group_or_default(group)
    operation = _reduction(tensor, op)
    comm = group.comm

    def operate():
        data = tensor if tensor.is_contiguous() else _contiguous(tensor)
        if operation is None:
            _all_reduce_rows(comm, data, op)
        else:
            comm.Allreduce(mpi.start().IN_PLACE, mpi.typed_memory(data), operation)
        if op == ReduceOp.AVG:
            _average(data.detach(), op, group.size())
        if data is not tensor:
            _copy(tensor, data)

    description = _describe("all_reduce", tensor, ("op", op.name))
    return worker.run(group, description, operate, [tensor], async_op)


def _all_reduce_rows(comm, data, op):
    """Reduce in place what MPI cannot: every rank gathers all tensors and reduces them itself."""
    rows = _flat(comm.size, data)
    comm.Allgather(mpi.memory(data), mpi.memory(rows))
    _copy(data, _reduce_rows(rows, op))


# -- Movement ---------------------------------------------------------------------------------------


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Copy a tensor of one rank into the tensors of the others.

    Parameters
    ----------
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    src : int, optional
        The rank of the source in the default group.
    group : ProcessGroup, optional
    async_op : bool
    group_src : int, optional
        The rank of the source in `group`, instead of `src`.

    Returns
    -------
    Work or None
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "broadcast"):
        return None
    group = _group_or_default(group)
    root = _root(group, src, group_src, "src")

    def operate():
        data = tensor if tensor.is_contiguous() else _contiguous(tensor)
        group.comm.Bcast(mpi.memory(data), root)
        if data is not tensor:
            _copy(tensor, data)

    description = _describe("broadcast", tensor, ("src", group.ranks[root]))
    return worker.run(group, description, operate, [tensor], async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Gather the tensors of all ranks in a list on every rank.

    Parameters
    ----------
    tensor_list : list of Tensor
        One tensor for each rank, which is written.
    tensor : Tensor
        Of the same shape and dtype on all ranks.
    group : ProcessGroup, optional
    async_op : bool

    Returns
    -------
    Work or None
    """
    _check_tensor_list(tensor_list, "tensor_list")
    _check_single_tensor(tensor, "tensor")
    _ensure_all_tensors_same_dtype(tensor_list, tensor)
    if _is_outside(group, "all_gather"):
        return None
    group = _group_or_default(group)

    def operate():
        rows = _flat(group.size(), tensor)
        group.comm.Allgather(mpi.memory(_contiguous(tensor)), mpi.memory(rows))
        for target, row in zip(tensor_list, rows, strict=True):
            _copy(target, row)

    description = _describe("all_gather", tensor)
    return worker.run(group, description, operate, [tensor_list], async_op)


def barrier(group=None, async_op=False, device_ids=None, timeout=None):
    """Wait until every rank of the group has called it.

    Parameters
    ----------
    group : ProcessGroup, optional
    async_op : bool
    device_ids : list of int, optional
        Ignored.
    timeout : timedelta, optional
        Ignored: the group's timeout counts.

    Returns
    -------
    Work or None
    """
    if _is_outside(group, "barrier"):
        return None
    # the comparison of fingerprints waits for all ranks
    return worker.run(_group_or_default(group), ("barrier",), None, [], async_op)
