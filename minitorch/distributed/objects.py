"""Collective operations on Python objects, which are pickled."""

from minitorch.distributed import mpi
from minitorch.distributed._arguments import _check_given_to_root
from minitorch.distributed.groups import _group_or_default, _is_outside, _root
from minitorch.distributed.work import worker

__all__ = [
    "all_gather_object",
    "broadcast_object_list",
    "gather_object",
    "recv_object_list",
    "scatter_object_list",
    "send_object_list",
]

# the tag of messages with objects, apart from the tags of tensors
_TAG = 32000


def all_gather_object(object_list, obj, group=None):
    """Gather an object of every rank in a list on every rank.

    Parameters
    ----------
    object_list : list
        One place for each rank, which is written.
    obj : object
        Has to be picklable.
    group : ProcessGroup, optional

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = [None] * dist.get_world_size()
    >>> dist.all_gather_object(found, {"rank": dist.get_rank()})
    >>> found
    [{'rank': 0}]
    >>> dist.destroy_process_group()
    """
    if _is_outside(group, "all_gather_object"):
        return
    group = _group_or_default(group)

    def operate():
        for index, other in enumerate(group.comm.allgather(obj)):
            object_list[index] = other

    worker.run(group, ("all_gather_object",), operate, [], False)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """Gather an object of every rank in a list on one rank.

    Parameters
    ----------
    obj : object
        Has to be picklable.
    object_gather_list : list, optional
        One place for each rank on the destination, None on the others.
    dst : int, optional
        The rank of the destination in the default group, 0 if not given.
    group : ProcessGroup, optional
    group_dst : int, optional
        The rank of the destination in `group`, instead of `dst`.

    Raises
    ------
    ValueError
        If the list is missing on the destination or given on another rank.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> found = [None] * dist.get_world_size() if dist.get_rank() == 0 else None
    >>> dist.gather_object("from here", found, dst=0)
    >>> found
    ['from here']
    >>> dist.destroy_process_group()
    """
    group = _group_or_default(group)
    if _is_outside(group, "gather_object"):
        return
    root = _root(group, dst, group_dst, default=0)
    _check_given_to_root("gather", object_gather_list, group.rank() == root)

    def operate():
        for index, other in enumerate(group.comm.gather(obj, root) or ()):
            object_gather_list[index] = other

    worker.run(group, ("gather_object", ("dst", group.ranks[root])), operate, [], False)


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """Copy a list of objects of one rank into the lists of the others.

    Parameters
    ----------
    object_list : list
        Of the same length on all ranks.
    src : int, optional
        The rank of the source in the default group, 0 if not given.
    group : ProcessGroup, optional
    device : device, optional
        Ignored.
    group_src : int, optional
        The rank of the source in `group`, instead of `src`.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> settings = [{"lr": 0.1}] if dist.get_rank() == 0 else [None]
    >>> dist.broadcast_object_list(settings, src=0)
    >>> settings
    [{'lr': 0.1}]
    >>> dist.destroy_process_group()
    """
    group = _group_or_default(group)
    if _is_outside(group, "broadcast_object_list"):
        return
    root = _root(group, src, group_src, default=0)
    if not isinstance(object_list, list):
        raise TypeError(f"object_list has to be a list, not {type(object_list).__name__}")

    def operate():
        received = group.comm.bcast(object_list if group.rank() == root else None, root)
        if group.rank() != root:
            object_list[:] = received

    description = (
        "broadcast_object_list",
        ("length", len(object_list)),
        ("src", group.ranks[root]),
    )
    worker.run(group, description, operate, [], False)


def scatter_object_list(
    scatter_object_output_list,
    scatter_object_input_list=None,
    src=None,
    group=None,
    group_src=None,
):
    """Give each rank one object of a list of one rank.

    Parameters
    ----------
    scatter_object_output_list : list
        Not empty; its first place is written.
    scatter_object_input_list : list, optional
        One object for each rank, on the source.
    src : int, optional
        The rank of the source in the default group, 0 if not given.
    group : ProcessGroup, optional
    group_src : int, optional
        The rank of the source in `group`, instead of `src`.

    Raises
    ------
    ValueError
        If the output is not a list with a place, or the input has not one object for each rank.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> names = [f"part {rank}" for rank in range(dist.get_world_size())]
    >>> mine = [None]
    >>> dist.scatter_object_list(mine, names if dist.get_rank() == 0 else None, src=0)
    >>> mine
    ['part 0']
    >>> dist.destroy_process_group()
    """
    group = _group_or_default(group)
    if _is_outside(group, "scatter_object_list"):
        return
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise ValueError(
            "Expected argument scatter_object_output_list to be a list of size at least 1."
        )
    root = _root(group, src, group_src, default=0)
    if group.rank() == root and len(scatter_object_input_list or ()) != group.size():
        raise ValueError("scatter_object_input_list has to have one object for each rank")

    def operate():
        given = scatter_object_input_list if group.rank() == root else None
        scatter_object_output_list[0] = group.comm.scatter(given, root)

    worker.run(group, ("scatter_object_list", ("src", group.ranks[root])), operate, [], False)


def send_object_list(
    object_list, dst=None, group=None, device=None, group_dst=None, use_batch=False
):
    """Send a list of objects to one rank, which calls `recv_object_list`.

    Parameters
    ----------
    object_list : list
    dst : int, optional
        The rank of the receiver in the default group.
    group : ProcessGroup, optional
    device : device, optional
        Ignored.
    group_dst : int, optional
        The rank of the receiver in `group`, instead of `dst`.
    use_batch : bool
        Ignored.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> settings = [{"lr": 0.1}]
    >>> if dist.get_rank() == 0:
    ...     for rank in range(1, dist.get_world_size()):
    ...         dist.send_object_list(settings, dst=rank)
    ... else:
    ...     source = dist.recv_object_list(settings, src=0)
    >>> settings
    [{'lr': 0.1}]
    >>> dist.destroy_process_group()
    """
    group = _group_or_default(group)
    if _is_outside(group, "send_object_list"):
        return
    to = _root(group, dst, group_dst)
    if to == group.rank():
        raise ValueError(
            "Invalid destination rank: destination rank should not be the same as the rank of the current process."
        )
    group.comm.send(object_list, to, _TAG)


def recv_object_list(
    object_list, src=None, group=None, device=None, group_src=None, use_batch=False
):
    """Receive a list of objects of one rank.

    Parameters
    ----------
    object_list : list
        As long as the list that is sent; it is written.
    src : int, optional
        The rank of the sender in the default group; any if not given.
    group : ProcessGroup, optional
    device : device, optional
        Ignored.
    group_src : int, optional
        The rank of the sender in `group`, instead of `src`.
    use_batch : bool
        Ignored.

    Returns
    -------
    int
        The rank of the sender in the default group, or -1 if this process is not a member.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> settings = [{"lr": 0.1}]
    >>> if dist.get_rank() == 0:
    ...     for rank in range(1, dist.get_world_size()):
    ...         dist.send_object_list(settings, dst=rank)
    ... else:
    ...     source = dist.recv_object_list(settings, src=0)
    >>> settings
    [{'lr': 0.1}]
    >>> dist.destroy_process_group()
    """
    if _is_outside(group, "recv_object_list"):
        return -1
    group = _group_or_default(group)
    source, received = _receive(group, src, group_src)
    if len(received) != len(object_list):
        raise RuntimeError(
            f"a list of {len(object_list)} objects was expected, and one of {len(received)} received"
        )
    object_list[:] = received
    return source


def _receive(group, src, group_src):
    """Return the global rank of the sender of a list, and the list."""
    MPI = mpi.start()
    any_source = src is None and group_src is None
    status = MPI.Status()
    place = MPI.ANY_SOURCE if any_source else _root(group, src, group_src)
    received = group.comm.recv(None, place, _TAG, status)
    return group.ranks[status.source], received
