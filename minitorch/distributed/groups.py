"""The processes of a job, their groups and their ranks: `init_process_group`, `new_group` and others."""

import itertools
import os
import warnings
from datetime import timedelta
from typing import Any

from minitorch.distributed import mpi
from minitorch.distributed.process_group import Backend, GroupMember, ProcessGroup
from minitorch.distributed.work import worker

__all__ = [
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_node_local_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
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
    """Return True: the package is part of minitorch. `is_mpi_available` says whether it can be used.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.is_available()
    True
    """
    return True


def is_mpi_available():
    """Return whether mpi4py is installed, which every process group needs.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.is_mpi_available()
    True
    >>> dist.destroy_process_group()
    """
    return mpi.is_installed()


def is_gloo_available():
    """Return whether a program that asks for Gloo can run, on MPI.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.is_gloo_available()
    True
    >>> dist.destroy_process_group()
    """
    return mpi.is_installed()


def is_nccl_available():
    """Return False: there is no NCCL, since there is no GPU.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.is_nccl_available()
    False
    """
    return False


def is_backend_available(backend):
    """Return whether a program that asks for the CPU backend `backend` can run, on MPI.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.is_backend_available("nccl")
    False
    """
    return backend.lower() in ("mpi", "gloo") and mpi.is_installed()


def is_torchelastic_launched():
    """Return whether a launcher such as ``torchrun`` started the process.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.is_torchelastic_launched()
    False
    """
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_initialized():
    """Return whether there is a default process group.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.is_initialized()
    False
    >>> dist.init_process_group("mpi")
    >>> dist.is_initialized()
    True
    >>> dist.destroy_process_group()
    """
    return GroupMember.WORLD is not None


# -- Groups -----------------------------------------------------------------------------------------

_INIT_METHODS = ("env", "file", "tcp")
_groups: dict[Any, Any] = {}
_names = itertools.count()
_base: list[Any] = []
_noticed: set[str] = set()


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
    """Return the name of the backend that a program asks for."""
    if name is None:
        return Backend("mpi")
    name = Backend(name)
    for part in _engines(name):
        if part not in Backend.backend_list or part == "undefined":
            raise AssertionError(f"Unknown backend type {part}")
    return name


def _engines(name):
    """Return the names in one like ``cpu:gloo,cuda:nccl``."""
    return [part.rpartition(":")[2] for part in name.split(",")]


def _notice(name, rank):
    """Warn once, on one rank, that the engine is MPI and not the one that a program asks for."""
    if rank == 0 and name not in _noticed and _engines(name) != ["mpi"]:
        _noticed.add(name)
        warnings.warn(
            f"minitorch has one backend, MPI, on which it runs what asks for {str(name)!r}",
            stacklevel=3,
        )


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
    A program without a launcher is a group of one. ``python -m minitorch run --nproc-per-node 4 program.py`` starts
    it on four ranks.

    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> print(f"rank {dist.get_rank()} of {dist.get_world_size()}")
    rank 0 of 1
    >>> dist.destroy_process_group()
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
    if init_method is not None and init_method.partition("://")[0] not in _INIT_METHODS:
        raise RuntimeError(f"No rendezvous handler for {init_method.partition('://')[0]}://")
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
    _notice(backend, communicator.rank)
    _set_variables(communicator)
    worker.start()
    mpi.on_exit(communicator, worker.drain)
    if communicator.size > 1:
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

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.destroy_process_group()
    >>> dist.is_initialized()
    False
    """
    if _rank_not_in_group(group):
        return
    if group is None or group is GroupMember.WORLD:
        if GroupMember.WORLD is None:
            raise AssertionError("Process group cannot be None")
        worker.drain()
        _groups.clear()
        GroupMember.WORLD = None
        mpi.end_of_job.remove()
        return
    if _groups.pop(getattr(group, "group_name", None), None) is None:
        raise ValueError("Invalid process group specified")
    worker.drain()


def get_rank(group=None):
    """Return the rank of this process in the group, or -1 if it is not a member.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.get_rank()
    0
    >>> dist.destroy_process_group()
    """
    if _rank_not_in_group(group):
        return -1
    return _group_or_default(group).rank()


def get_world_size(group=None):
    """Return the number of processes of the group, or -1 if this process is not a member.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.get_world_size()
    1
    >>> dist.destroy_process_group()
    """
    if _rank_not_in_group(group):
        return -1
    return _group_or_default(group).size()


def get_backend(group=None):
    """Return the name of the backend that the program asked for.

    Raises
    ------
    ValueError
        If this process is not a member of the group.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.get_backend()
    'mpi'
    >>> dist.destroy_process_group()
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

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.get_node_local_rank(fallback_rank=0)
    0
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
    """Return the rank in the default group of the process with rank `group_rank` in `group`.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> group = dist.new_group([0])
    >>> dist.get_global_rank(group, 0)
    0
    >>> dist.destroy_process_group()
    """
    if group is GroupMember.WORLD:
        return group_rank
    if not 0 <= group_rank < len(group.ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return group.ranks[group_rank]


def get_group_rank(group, global_rank):
    """Return the rank in `group` of the process with rank `global_rank` in the default group.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> group = dist.new_group([0])
    >>> dist.get_group_rank(group, 0)
    0
    >>> dist.destroy_process_group()
    """
    if group is GroupMember.WORLD:
        return global_rank
    if global_rank not in group.ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return group.ranks.index(global_rank)


def get_process_group_ranks(group):
    """Return the ranks in the default group of the members of `group`, by their rank in it.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> group = dist.new_group([0])
    >>> dist.get_process_group_ranks(group)
    [0]
    >>> dist.destroy_process_group()
    """
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

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> even = dist.new_group(range(0, dist.get_world_size(), 2))
    >>> if dist.get_rank() in dist.get_process_group_ranks(even):
    ...     x = torch.ones(2)
    ...     dist.all_reduce(x, group=even)
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    world = _get_default_group()
    size = world.size()
    ranks = list(range(size)) if ranks is None else list(ranks)
    if len(ranks) > size:
        raise ValueError(
            "the new group's world size should be less or equal to the world size set by "
            "init_process_group"
        )
    for rank in ranks:
        if not 0 <= rank < size:
            raise ValueError(
                f"Rank {rank} is out of range. Valid ranks are 0 to {size - 1} (world_size={size})"
            )
    if len(set(ranks)) < len(ranks):
        raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
    ranks = sorted(ranks) if sort_ranks else ranks
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

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> mine, groups = dist.new_subgroups(group_size=1)
    >>> dist.get_process_group_ranks(mine), len(groups)
    ([0], 1)
    >>> dist.destroy_process_group()
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

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> mine, groups = dist.new_subgroups_by_enumeration([[0]])
    >>> mine is groups[0]
    True
    >>> dist.destroy_process_group()
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


# -- What operations ask a group -----------------------------------------------------------------


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


def _root(group, global_rank, group_rank, default=None, of="send"):
    """Return the rank in `group` that an operation's two arguments for a rank name."""
    if global_rank is not None and group_rank is not None:
        raise ValueError("Can't specify both group_rank and global_rank")
    if global_rank is None and group_rank is None:
        if default is None:
            raise ValueError("Must specify global_rank or group_rank")
        global_rank = default
    root = get_group_rank(group, global_rank) if group_rank is None else group_rank
    if not 0 <= root < group.size():
        raise RuntimeError(f"ProcessGroupMPI::{of}: invalid root rank: {root}")
    return root
