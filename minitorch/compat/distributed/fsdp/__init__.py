"""Fully sharded data parallelism, which is absent; its enums can be imported."""

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
    """The values that are sharded: parameters, gradients, optimizer state."""

    FULL_SHARD = enum.auto()
    SHARD_GRAD_OP = enum.auto()
    NO_SHARD = enum.auto()
    HYBRID_SHARD = enum.auto()
    _HYBRID_SHARD_ZERO2 = enum.auto()


class BackwardPrefetch(enum.Enum):
    """When the next parameters are prefetched during backward."""

    BACKWARD_PRE = enum.auto()
    BACKWARD_POST = enum.auto()


class StateDictType(enum.Enum):
    """Forms of a state dict."""

    FULL_STATE_DICT = enum.auto()
    LOCAL_STATE_DICT = enum.auto()
    SHARDED_STATE_DICT = enum.auto()


class OptimStateKeyType(enum.Enum):
    """Keys of parameters in an optimizer's state."""

    PARAM_NAME = enum.auto()
    PARAM_ID = enum.auto()


class FullyShardedDataParallel(Absent):
    """Wrapper of a module that shards its parameters; absent."""


class FSDPModule(Absent):
    """Module transformed by `fully_shard`; absent."""


class CPUOffload(Absent):
    """Configuration of CPU offloading; absent."""


class MixedPrecision(Absent):
    """Dtypes of parameters, gradients and buffers; absent."""


class MixedPrecisionPolicy(Absent):
    """Dtypes for `fully_shard`; absent."""


class OffloadPolicy(Absent):
    """Base class of offloading policies for `fully_shard`; absent."""


class CPUOffloadPolicy(OffloadPolicy):
    """Policy that offloads to the CPU; absent."""


class FullStateDictConfig(Absent):
    """Options of a full state dict; absent."""


class ShardedStateDictConfig(Absent):
    """Options of a sharded state dict; absent."""


class FullOptimStateDictConfig(Absent):
    """Options of a full optimizer state dict; absent."""


class ShardedOptimStateDictConfig(Absent):
    """Options of a sharded optimizer state dict; absent."""


fully_shard = absent("torch.distributed.fsdp.fully_shard")
