"""Distributed tensors, which are absent; ``isinstance`` checks return False."""

from minitorch.distributed.device_mesh import DeviceMesh, init_device_mesh
from minitorch.namespace.absent import Absent, absent

__all__ = [
    "DTensor",
    "DeviceMesh",
    "Partial",
    "Placement",
    "Replicate",
    "Shard",
    "distribute_module",
    "distribute_tensor",
    "init_device_mesh",
]


class DTensor(Absent):
    """A tensor distributed over processes; absent."""


class Placement(Absent):
    """Base class of the placements of a tensor; absent."""


class Partial(Placement):
    """Placement where each process holds a summand; absent."""


class Replicate(Placement):
    """Placement where each process holds the whole tensor; absent."""


class Shard(Placement):
    """Placement where each process holds a slice; absent."""


distribute_module = absent("torch.distributed.tensor.distribute_module")
distribute_tensor = absent("torch.distributed.tensor.distribute_tensor")
