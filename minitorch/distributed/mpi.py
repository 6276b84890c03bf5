"""MPI, the engine below `minitorch.distributed`; no other module touches mpi4py.

mpi4py is imported by `start`, which `init_process_group` calls, and by nothing else. MPI runs with the
thread level MULTIPLE where the library offers it.

Note [How a job ends]
The processes of a job wait for each other, so none may end alone. Three things can happen to one of them.
It is killed: ``mpiexec`` notices, names the rank and ends the others. An exception leaves its program:
`end_of_job` prints the traceback and then calls ``MPI_Abort``. Its program ends while others still wait in
a collective operation: `say_goodbye`, which runs when the interpreter exits, takes part in their check of
fingerprints with one of its own, so they raise an error that names it. It can do this for the default group only,
since it does not know which group will call first. To the members of the other groups it sends how many operations
it has run there. A rank that waits in a later one gets this message from `Communicator.missing`, and aborts.
"""

import atexit
import importlib.util
import os
import sys
import threading
from array import array
from contextlib import nullcontext
from functools import cache
from hashlib import blake2b
from typing import Any

from minitorch.core.dtype import _dtypes, _dtypes_without_tensors
from minitorch.distributed.shared_memory import SharedMemory, block_size, header_size

__all__ = []


@cache
def is_installed():
    """Return whether mpi4py can be imported, without importing it."""
    return importlib.util.find_spec("mpi4py") is not None


@cache
def start():
    """Import mpi4py, initialise MPI, and return the module ``mpi4py.MPI``.

    Raises
    ------
    ImportError
        If mpi4py or an MPI library is missing. The message names the extra that installs both.
    """
    # A rank that waits lets others run: there are often more threads than cores.
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    # it prints an error when memory is shared on a machine without a fast network
    os.environ.setdefault("OMPI_MCA_osc", "^ucx")
    try:
        import mpi4py

        mpi4py.rc.threads = True
        mpi4py.rc.thread_level = "multiple"
        mpi4py.rc.finalize = False
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise ImportError(
            "minitorch.distributed needs mpi4py and an MPI library, which "
            f'pip install "minitorch-autograd[distributed]" installs ({error})'
        ) from error
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        raise ImportError("minitorch.distributed needs an MPI library that supports threads")
    return MPI


@cache
def call_lock():
    """Return what to hold during a call of MPI: a lock if only one thread may call it at a time."""
    MPI = start()
    return nullcontext() if MPI.Query_thread() >= MPI.THREAD_MULTIPLE else threading.RLock()


@cache
def datatypes():
    """Return the datatype of MPI for each dtype that MPI can reduce."""
    MPI = start()
    names = {
        "float32": MPI.FLOAT,
        "float64": MPI.DOUBLE,
        "int8": MPI.INT8_T,
        "int16": MPI.INT16_T,
        "int32": MPI.INT32_T,
        "int64": MPI.INT64_T,
        "uint8": MPI.UINT8_T,
        "uint16": MPI.UINT16_T,
        "uint32": MPI.UINT32_T,
        "uint64": MPI.UINT64_T,
        "bool": MPI.C_BOOL,
        "complex64": MPI.C_FLOAT_COMPLEX,
        "complex128": MPI.C_DOUBLE_COMPLEX,
    }
    dtypes = {**_dtypes(), **_dtypes_without_tensors()}
    return {dtypes[name]: datatype for name, datatype in names.items()}


@cache
def operations():
    """Return MPI's operation for each name of a `ReduceOp`; AVG is a sum, divided afterwards."""
    MPI = start()
    return {
        "SUM": MPI.SUM,
        "AVG": MPI.SUM,
        "PREMUL_SUM": MPI.SUM,
        "PRODUCT": MPI.PROD,
        "MIN": MPI.MIN,
        "MAX": MPI.MAX,
        "BAND": MPI.BAND,
        "BOR": MPI.BOR,
        "BXOR": MPI.BXOR,
    }


@cache
def operations_on_bool():
    """Return MPI's logical operation for each name of a `ReduceOp`."""
    MPI = start()
    return {
        "SUM": MPI.LOR,
        "MAX": MPI.LOR,
        "BOR": MPI.LOR,
        "PRODUCT": MPI.LAND,
        "MIN": MPI.LAND,
        "BAND": MPI.LAND,
        "BXOR": MPI.LXOR,
    }


def memory(tensor):
    """Return the memory of a contiguous tensor as a buffer for MPI, without a copy."""
    return start().buffer.fromaddress(tensor.data_ptr(), tensor.numel() * tensor.element_size())


def typed_memory(tensor):
    """Return the memory of a contiguous tensor with the datatype that MPI reduces."""
    return [memory(tensor), tensor.numel(), datatypes()[tensor.dtype]]


@cache
def fingerprint(description):
    """Return 63 bits that stand for what a rank is about to do."""
    return int.from_bytes(blake2b(repr(description).encode(), digest_size=8).digest()) >> 1


def share(comm):
    """Return memory that all processes of a communicator share, or None if they can not share any."""
    MPI = start()
    if comm.size == 1:
        return None
    here = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.rank)
    if here.size != comm.size:
        return None
    window, address = None, 0
    try:
        size = block_size(comm.size) if comm.rank == 0 else 0
        window = MPI.Win.Allocate_shared(size, 1, comm=here)
        address = window.Shared_query(0)[0].address
    except MPI.Exception:
        pass
    if comm.allreduce(int(address != 0), MPI.MIN) == 0:
        return None
    if comm.rank == 0:
        window.Shared_query(0)[0][: header_size(comm.size)] = bytes(header_size(comm.size))
    comm.Barrier()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return SharedMemory(address, comm.rank, comm.size, 500 if cores >= comm.size else 0)


class Communicator:
    """A communicator of MPI with a check that all ranks are about to do the same.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
    ranks : list of int
        The global rank of each member.
    """

    def __init__(self, comm, ranks):
        self.comm = comm
        self.ranks = ranks
        self.rank = comm.rank
        self.size = comm.size
        self.shared = share(comm)
        # how many operations this rank has begun, and those of the members whose programs have ended
        self.begun = 0
        self.ended: dict[int, int] = {}
        _communicators.append(self)

    def check(self, description):
        """Raise RuntimeError on every rank if the descriptions of the ranks differ.

        The largest fingerprint and the largest negative one are the same number, up to the sign, exactly
        if all fingerprints are. So one small reduction compares them; the descriptions themselves
        travel only when they differ.
        """
        code = fingerprint(description)
        if self.shared is not None:
            same = self.shared.check(code)
        else:
            largest = array("q", (code, -code))
            self.comm.Allreduce(start().IN_PLACE, largest, start().MAX)
            same = largest[0] == -largest[1]
        if not same:
            self.complain(description)

    def say_goodbye(self):
        """Send each other member how many operations this rank has begun; there will be no more."""
        self.goodbye = array("q", (self.begun,))
        for rank in range(self.size):
            if rank != self.rank:
                self.comm.Isend(self.goodbye, rank, _GOODBYE).Free()

    def missing(self):
        """Return the global ranks that have ended before the last operation that this rank has begun."""
        count, status = array("q", (0,)), start().Status()
        while message := self.comm.Improbe(start().ANY_SOURCE, _GOODBYE, status):
            message.Recv(count)
            self.ended[status.source] = count[0]
        return [self.ranks[rank] for rank, n in sorted(self.ended.items()) if n < self.begun]

    def complain(self, description):
        """Raise the error for different descriptions; every rank calls it."""
        raise RuntimeError(mismatch(self.comm.allgather(description), self.ranks))


def mismatch(descriptions, ranks):
    """Return the text of the error for descriptions that differ."""
    members = {}
    for rank, description in zip(ranks, descriptions, strict=True):
        members.setdefault(in_words(description), []).append(rank)
    return "The ranks of a process group called different operations: " + "; ".join(
        f"{'rank' if len(who) == 1 else 'ranks'} {', '.join(map(str, who))}: {what}"
        for what, who in members.items()
    )


def in_words(description):
    """Return a description, a tuple, as words: a name, and what belongs to it by its kind."""
    name, *details = description
    return f"{name}({', '.join(f'{key}={value}' for key, value in details)})" if details else name


_END = ("the end of the program",)
# the tag of messages about the end
_GOODBYE = 32002
_communicators: list[Any] = []
_exits: list[Any] = []


def on_exit(communicator, drain):
    """Let the program end with `say_goodbye`, and with `end_of_job` if an exception leaves it."""
    _exits.append(communicator)
    if len(_exits) == 1:
        atexit.register(say_goodbye, communicator, drain)


def say_goodbye(communicator, drain):
    """Wait for the end of the other programs, then finalise MPI; see Note [How a job ends]."""
    MPI = start()
    if MPI.Is_finalized():
        return
    drain()
    others = [other for other in _communicators if other is not communicator]
    for other in others:
        other.say_goodbye()
    while True:
        try:
            communicator.check(_END)
        except RuntimeError:
            continue
        break
    for other in others:
        while len(other.ended) < other.size - 1:  # all have sent it, before the check above
            other.missing()
    MPI.Finalize()


def abort(message):
    """Print `message` and end all processes of the job."""
    MPI = start()
    print(message, file=sys.stderr, flush=True)
    sys.stdout.flush()
    MPI.COMM_WORLD.Abort(1)


class EndOfJob:
    """The hook that ends the job on all ranks when an exception leaves the program of one."""

    def __init__(self):
        self.before = None

    def install(self, rank):
        """Put this hook into ``sys.excepthook``."""
        self.rank = rank
        if self.before is None:
            self.before = sys.excepthook
            sys.excepthook = self

    def remove(self):
        """Restore ``sys.excepthook``, unless the program has replaced it since."""
        if self.before is not None and sys.excepthook is self:
            sys.excepthook = self.before
            self.before = None

    def __call__(self, kind, error, trace):
        """Print the traceback and abort."""
        try:
            (self.before or sys.__excepthook__)(kind, error, trace)
        finally:
            abort(
                f"rank {self.rank} ended with {kind.__name__}; "
                "the processes of the other ranks are ended with it"
            )


end_of_job = EndOfJob()
