"""Reductions over ranks: by MPI, or by this library for the dtypes that MPI does not know."""

from functools import cache

from minitorch.autograd import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.distributed import mpi
from minitorch.distributed._arguments import _copy, _flat
from minitorch.distributed.process_group import ReduceOp
from minitorch.distributed.shared_memory import SharedMemory

__all__ = ["all_reduce_into", "reduce_into", "reduce_scatter_into"]

_BOOL = _dtypes()["bool"]
_OF_ROWS = {
    "SUM": lambda rows: rows.sum(0, dtype=rows.dtype),
    "AVG": lambda rows: rows.sum(0, dtype=rows.dtype),
    "PRODUCT": lambda rows: rows.prod(0, dtype=rows.dtype),
    "MIN": lambda rows: rows.amin(0),
    "MAX": lambda rows: rows.amax(0),
}


def _operation(dtype, op):
    """Return MPI's operation, or None if MPI cannot reduce the dtype."""
    name = op.name
    if name in ("BAND", "BOR", "BXOR") and (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"Cannot use ReduceOp.{name} with non-integral dtype")
    if dtype not in mpi.datatypes():
        return None
    return (mpi.operations_on_bool() if dtype is _BOOL else mpi.operations())[name]


def _reduce_rows(rows, op):
    """Return the reduction of a tensor over its first dimension."""
    with no_grad():
        return _OF_ROWS[op.name](rows)


def _average(data, op, size):
    """Divide a sum by the number of ranks if the operation is a mean."""
    if op == ReduceOp.AVG:
        with no_grad():
            inexact = data.is_floating_point() or data.is_complex()
            data.detach().div_(size, rounding_mode=None if inexact else "trunc")


def all_reduce_into(communicator, data, op, description):
    """Check the description on all ranks, then reduce a contiguous tensor in place."""
    comm = communicator.comm
    shared = communicator.shared
    kind, operation = (None, None) if shared is None else _shared(data.dtype, op.name)
    if kind is not None:
        code = mpi.fingerprint(description)
        if not shared.all_reduce(code, data.data_ptr(), data.numel(), kind, operation):
            communicator.complain(description)
    else:
        communicator.check(description)
        operation = _operation(data.dtype, op)
        if operation is not None:
            comm.Allreduce(mpi.start().IN_PLACE, mpi.typed_memory(data), operation)
        else:
            rows = _flat(comm.size, data)
            comm.Allgather(mpi.memory(data), mpi.memory(rows))
            _copy(data, _reduce_rows(rows, op))
    _average(data, op, communicator.size)


@cache
def _shared(dtype, name):
    """Return how `SharedMemory` numbers a dtype and an operation; None and None if it lacks one."""
    kind = SharedMemory.kind(str(dtype).removeprefix("torch."))
    operation = SharedMemory.operation(name)
    return (None, None) if kind is None or operation is None else (kind, operation)


def reduce_into(communicator, data, op, root):
    """Reduce a contiguous tensor in place on the rank `root`."""
    comm = communicator.comm
    operation = _operation(data.dtype, op)
    is_root = communicator.rank == root
    if operation is not None:
        memory = mpi.typed_memory(data)
        if is_root:
            comm.Reduce(mpi.start().IN_PLACE, memory, operation, root)
        else:
            comm.Reduce(memory, None, operation, root)
    else:
        rows = _flat(communicator.size, data) if is_root else None
        comm.Gather(mpi.memory(data), mpi.memory(rows) if is_root else None, root)
        if is_root:
            _copy(data, _reduce_rows(rows, op))
    if is_root:
        _average(data, op, communicator.size)


def reduce_scatter_into(communicator, output, data, op):
    """Reduce a contiguous tensor, and write the part of this rank into `output`."""
    comm = communicator.comm
    operation = _operation(data.dtype, op)
    if operation is not None:
        comm.Reduce_scatter_block(mpi.typed_memory(data), mpi.typed_memory(output), operation)
    else:
        rows = _flat(communicator.size, output)
        comm.Alltoall(mpi.memory(data), mpi.memory(rows))
        _copy(output, _reduce_rows(rows, op))
    _average(output, op, communicator.size)
