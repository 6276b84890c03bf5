"""Messages from one rank to another: `send`, `recv`, and their forms that do not wait."""

import time

from minitorch.distributed import mpi
from minitorch.distributed._arguments import _check_single_tensor
from minitorch.distributed.groups import (
    _group_or_default,
    _is_outside,
    _rank_not_in_group,
    _root,
    get_rank,
)
from minitorch.distributed.work import Message

__all__ = [
    "P2POp",
    "batch_isend_irecv",
    "irecv",
    "isend",
    "monitored_barrier",
    "recv",
    "send",
]

# the tag of the empty messages of `monitored_barrier`
_BARRIER = 32001


def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Start to send a tensor; it must not be written before the `Work` has ended.

    Parameters
    ----------
    tensor, dst, group, tag, group_dst
        See `send`.

    Returns
    -------
    Work or None
        None if this process is not a member of the group.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x, others = torch.ones(2), range(1, dist.get_world_size())
    >>> if dist.get_rank() == 0:
    ...     works = [dist.isend(x, dst=rank) for rank in others]
    ... else:
    ...     works = [dist.irecv(x, src=0)]
    >>> for work in works:
    ...     _ = work.wait()
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    group = _group_or_default(group)
    if _is_outside(group, "isend"):
        return None
    to = _root(group, dst, group_dst)
    _check_single_tensor(tensor, "tensor")
    _check_other(group, to, "destination")
    _check_contiguous(tensor)
    with mpi.call_lock():
        request = group.comm.Isend(mpi.memory(tensor), to, tag)
    return Message(group, "send", [tensor], request, lambda status: None)


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    """Start to receive a tensor.

    Parameters
    ----------
    tensor, src, group, tag, group_src
        See `recv`.

    Returns
    -------
    Work or None
        None if this process is not a member of the group.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x, others = torch.ones(2), range(1, dist.get_world_size())
    >>> if dist.get_rank() == 0:
    ...     works = [dist.isend(x, dst=rank) for rank in others]
    ... else:
    ...     works = [dist.irecv(x, src=0)]
    >>> for work in works:
    ...     _ = work.wait()
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    _check_single_tensor(tensor, "tensor")
    if _is_outside(group, "irecv"):
        return None
    group = _group_or_default(group)
    if src is None and group_src is None:
        source = mpi.start().ANY_SOURCE
    else:
        source = _root(group, src, group_src)
        _check_other(group, source, "source")
    _check_contiguous(tensor)
    expected = tensor.numel() * tensor.element_size()

    def finish(status):
        received = status.Get_count(mpi.start().BYTE)
        if received != expected:
            raise RuntimeError(
                f"rank {group.ranks[status.source]} sent {received} bytes to a tensor of {expected} bytes, "
                f"shape {list(tensor.shape)} and dtype {tensor.dtype}"
            )
        return group.ranks[status.source]

    with mpi.call_lock():
        request = group.comm.Irecv(mpi.memory(tensor), source, tag)
    return Message(group, "recv", [tensor], request, finish)


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Send a tensor and wait until its memory can be written again.

    Parameters
    ----------
    tensor : Tensor
    dst : int, optional
        The rank of the receiver in the default group.
    group : ProcessGroup, optional
    tag : int
        Has to be the one with which the receiver calls `recv`.
    group_dst : int, optional
        The rank of the receiver in `group`, instead of `dst`.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x = torch.ones(2)
    >>> if dist.get_rank() == 0:
    ...     for rank in range(1, dist.get_world_size()):
    ...         dist.send(x, dst=rank)
    ... else:
    ...     source = dist.recv(x, src=0)
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Receive a tensor.

    Parameters
    ----------
    tensor : Tensor
        Is written; has to have as many elements as the one that is sent, and its dtype.
    src : int, optional
        The rank of the sender in the default group; any if not given.
    group : ProcessGroup, optional
    tag : int
    group_src : int, optional
        The rank of the sender in `group`, instead of `src`.

    Returns
    -------
    int
        The rank of the sender in the default group, or -1 if this process is not a member.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> x = torch.ones(2)
    >>> if dist.get_rank() == 0:
    ...     for rank in range(1, dist.get_world_size()):
    ...         dist.send(x, dst=rank)
    ... else:
    ...     source = dist.recv(x, src=0)
    >>> x
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work.source_rank()


def _check_other(group, rank, what):
    if rank == group.rank():
        raise ValueError(
            f"Invalid {what} rank: {what} rank should not be the same as the rank of the current process."
        )


def _check_contiguous(tensor):
    if not tensor.is_contiguous():
        raise RuntimeError("input tensor has to be contiguous")


class P2POp:
    """One operation of `batch_isend_irecv`.

    Parameters
    ----------
    op : callable
        `isend` or `irecv`.
    tensor : Tensor
    peer : int, optional
        The rank of the other process in the default group.
    group : ProcessGroup, optional
    tag : int
    group_peer : int, optional
        The rank of the other process in `group`, instead of `peer`.

    Raises
    ------
    ValueError
        If `op` is another function.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> rank, size = dist.get_rank(), dist.get_world_size()
    >>> ops = []
    >>> if rank + 1 < size:
    ...     ops.append(dist.P2POp(dist.isend, torch.ones(2), rank + 1))
    >>> dist.P2POp(dist.all_reduce, torch.ones(2), 0)
    Traceback (most recent call last):
    ValueError: Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.
    >>> dist.destroy_process_group()
    """

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                "``torch.distributed.irecv``."
            )
        _check_single_tensor(tensor, "tensor")
        self.op = op
        self.tensor = tensor
        self.group = _group_or_default(group)
        self.group_peer = _root(self.group, peer, group_peer)
        self.peer = self.group.ranks[self.group_peer]
        self.tag = tag

    def __repr__(self):
        return (
            f"P2POp({self.op.__name__} pg={self.group.group_name}, group_src={self.group.rank()}, "
            f"group_dst={self.group_peer},  {self.tensor.shape}, {self.tensor.dtype})"
        )


def batch_isend_irecv(p2p_op_list):
    """Start several messages at once.

    Parameters
    ----------
    p2p_op_list : list of P2POp
        All of one group.

    Returns
    -------
    list of Work

    Raises
    ------
    ValueError
        If the list is empty or has other elements, or the groups differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> rank, size = dist.get_rank(), dist.get_world_size()
    >>> x, received = torch.ones(2), torch.zeros(2)
    >>> if size > 1:  # pass a tensor around in a ring
    ...     send = dist.P2POp(dist.isend, x, (rank + 1) % size)
    ...     receive = dist.P2POp(dist.irecv, received, (rank - 1) % size)
    ...     for work in dist.batch_isend_irecv([send, receive]):
    ...         _ = work.wait()
    >>> dist.destroy_process_group()
    """
    if not isinstance(p2p_op_list, list) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``."
        )
    group = p2p_op_list[0].group
    if any(op.group is not group for op in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    works = [op.op(op.tensor, op.peer, op.group, op.tag) for op in p2p_op_list]
    return [work for work in works if work is not None]


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """Wait until every rank has called it; name the ranks that have not.

    Parameters
    ----------
    group : ProcessGroup, optional
    timeout : timedelta, optional
        How long to wait; the group's timeout if not given.
    wait_all_ranks : bool
        Wait for all ranks, to name all that are missing, instead of the first.

    Raises
    ------
    RuntimeError
        On rank 0, if a rank does not call it in time; on the others, if rank 0 has raised or
        does not answer in time.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> from datetime import timedelta
    >>> dist.init_process_group("mpi")
    >>> dist.monitored_barrier(timeout=timedelta(seconds=5))
    >>> dist.destroy_process_group()
    """
    if _rank_not_in_group(group):
        _is_outside(group, "monitored_barrier")
        return
    group = _group_or_default(group)
    seconds = (timeout or group.timeout).total_seconds()
    milliseconds = round(1000 * seconds)
    deadline = time.monotonic() + seconds
    if group.rank() == 0:
        missing = _ranks_that_are_missing(group, deadline, wait_all_ranks)
        if missing:
            names = ", ".join(map(str, missing))
            raise RuntimeError(
                f"[Rank 0]: Ranks {names} failed to pass monitoredBarrier in {milliseconds} ms"
                if wait_all_ranks
                else f"[Rank 0]: Rank {names} failed to pass monitoredBarrier in {milliseconds} ms"
            )
        for rank in range(1, group.size()):
            group.comm.Send(b"", rank, _BARRIER)
        return
    group.comm.Isend(b"", 0, _BARRIER).Free()
    answer = group.comm.Irecv(bytearray(), 0, _BARRIER)
    if not _done_before(answer, deadline):
        raise RuntimeError(
            f"Rank {get_rank()} successfully reached monitoredBarrier, but received errors while waiting "
            "for send/recv from rank 0. Please check rank 0 logs for faulty rank."
        )


def _ranks_that_are_missing(group, deadline, wait_all_ranks):
    """Wait for a message of each other rank; return the ranks from which none came."""
    missing = []
    requests = {
        rank: group.comm.Irecv(bytearray(), rank, _BARRIER) for rank in range(1, group.size())
    }
    for rank, request in requests.items():
        if not _done_before(request, deadline):
            missing.append(group.ranks[rank])
            if not wait_all_ranks:
                break
    return missing


def _done_before(request, deadline):
    """Wait for a request until `deadline`; cancel it and return False if it is not done then."""
    while True:
        with mpi.call_lock():
            if request.Test():
                return True
            if time.monotonic() > deadline:
                request.Cancel()
                request.Wait()
                return False
        time.sleep(1e-3)
