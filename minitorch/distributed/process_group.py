"""Groups of processes, and the operations and names that belong to them."""

import enum

from minitorch.distributed.constants import default_pg_timeout

__all__ = ["Backend", "GroupMember", "ProcessGroup", "ReduceOp", "group"]


class RedOpType(enum.IntEnum):
    """The operations of `ReduceOp`."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8

    def __str__(self):
        return f"RedOpType.{self.name}"


class ReduceOp:
    """Operations of reductions: ``ReduceOp.SUM`` and others.

    Parameters
    ----------
    op : RedOpType

    Examples
    --------
    >>> from minitorch.distributed import ReduceOp
    >>> ReduceOp(ReduceOp.MAX) == ReduceOp.MAX
    True
    """

    RedOpType = RedOpType
    SUM = RedOpType.SUM
    AVG = RedOpType.AVG
    PRODUCT = RedOpType.PRODUCT
    MIN = RedOpType.MIN
    MAX = RedOpType.MAX
    BAND = RedOpType.BAND
    BOR = RedOpType.BOR
    BXOR = RedOpType.BXOR
    PREMUL_SUM = RedOpType.PREMUL_SUM

    def __init__(self, op):
        self.op = RedOpType(op)

    @property
    def name(self):
        """Return the name of the operation."""
        return self.op.name

    def __eq__(self, other):
        return self.op == (other.op if isinstance(other, ReduceOp) else other)

    def __hash__(self):
        return hash(self.op)


class Backend(str):
    """Name of a communication backend, in lower case.

    Every name stands for MPI here, which is the only engine.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> from minitorch.distributed import Backend
    >>> Backend("MPI")
    'mpi'
    """

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    UCC = "ucc"
    MPI = "mpi"
    XCCL = "xccl"

    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI]

    def __new__(cls, name):
        """Create the name in lower case."""
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class ProcessGroup:
    """A group of processes that communicate; `init_process_group` and `new_group` make it.

    Parameters
    ----------
    communicator : Communicator
    name : str
    backend : str
        The name that the program asked for.
    timeout : timedelta
    description : str

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> group = dist.new_group([0])
    >>> group.rank(), group.size(), group.name()
    (0, 1, 'mpi')
    >>> dist.destroy_process_group()
    """

    def __init__(self, communicator, name, backend, timeout=None, description="undefined"):
        self.communicator = communicator
        self.comm = communicator.comm
        self.ranks = communicator.ranks
        self.group_name = name
        self.group_desc = description
        self.backend = backend
        self.timeout = timeout or default_pg_timeout
        self.seconds = self.timeout.total_seconds()

    def rank(self):
        """Return the rank of this process within the group."""
        return self.communicator.rank

    def size(self):
        """Return the number of processes in the group."""
        return self.communicator.size

    def name(self):
        """Return the name of the backend."""
        return self.backend

    def __repr__(self):
        return f"<ProcessGroup {self.group_name!r}: rank {self.rank()} of {self.size()}>"

    def __reduce__(self):
        raise RuntimeError("a ProcessGroup belongs to its process and can not be pickled")


class GroupMember:
    """The default group, and the marker of a process that is in no group.

    Examples
    --------
    >>> from minitorch.distributed import GroupMember
    >>> GroupMember.WORLD is None  # until init_process_group is called
    True
    """

    WORLD = None
    NON_GROUP_MEMBER = -100


class _Holder(type):
    """The class of `group`: ``group.WORLD`` is the default process group."""

    @property
    def WORLD(cls):
        """Return the default process group, or None before `init_process_group`."""
        return GroupMember.WORLD

    @WORLD.setter
    def WORLD(cls, group):
        GroupMember.WORLD = group


class group(metaclass=_Holder):
    """Holder of the default process group, ``group.WORLD``.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> dist.group.WORLD.size()
    1
    >>> dist.destroy_process_group()
    """
