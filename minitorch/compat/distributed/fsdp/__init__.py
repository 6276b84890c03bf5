"""Modules whose parameters are split over processes: there is one process, and no such module."""

import enum

from minitorch.namespace.absent import Absent, absent

__all__ = [
    "BackwardPrefetch",
    "CPUOffload",
    "CPUOffloadPolicy",
    "FSDPModule",
    "FullOptimStateDictConfig",
    "FullStateDictConfig",
    "FullyShardedDataParallel",
    "MixedPrecision",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "OptimStateKeyType",
    "ShardedOptimStateDictConfig",
    "ShardedStateDictConfig",
    "ShardingStrategy",
    "StateDictType",
    "fully_shard",
]


class ShardingStrategy(enum.Enum):
    """What is split."""

    FULL_SHARD = enum.auto()
    SHARD_GRAD_OP = enum.auto()
    NO_SHARD = enum.auto()
    HYBRID_SHARD = enum.auto()
    _HYBRID_SHARD_ZERO2 = enum.auto()


class BackwardPrefetch(enum.Enum):
    """When the next parameters are fetched."""

    BACKWARD_PRE = enum.auto()
    BACKWARD_POST = enum.auto()


class StateDictType(enum.Enum):
    """Which form a state has."""

    FULL_STATE_DICT = enum.auto()
    LOCAL_STATE_DICT = enum.auto()
    SHARDED_STATE_DICT = enum.auto()


class OptimStateKeyType(enum.Enum):
    """By what an optimizer's state names parameters."""

    PARAM_NAME = enum.auto()
    PARAM_ID = enum.auto()


class FullyShardedDataParallel(Absent):
    """A module around one whose parameters are split."""


class FSDPModule(Absent):
    """What `fully_shard` makes of a module."""


class CPUOffload(Absent):
    """Whether parameters wait on the CPU."""


class MixedPrecision(Absent):
    """The dtypes of parameters, gradients and buffers."""


class MixedPrecisionPolicy(Absent):
    """The dtypes, for `fully_shard`."""


class OffloadPolicy(Absent):
    """Where parameters wait, for `fully_shard`."""


class CPUOffloadPolicy(OffloadPolicy):
    """On the CPU."""


class FullStateDictConfig(Absent):
    """Of a state in one piece."""


class ShardedStateDictConfig(Absent):
    """Of a state in pieces."""


class FullOptimStateDictConfig(Absent):
    """Of an optimizer's state in one piece."""


class ShardedOptimStateDictConfig(Absent):
    """Of an optimizer's state in pieces."""


fully_shard = absent("torch.distributed.fsdp.fully_shard")
