"""Tensors spread over processes: no tensor is, which is what programs ask with ``isinstance``."""

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
    """A tensor spread over processes."""


class Placement(Absent):
    """How a tensor is spread over processes."""


class Partial(Placement):
    """Each process holds a summand."""


class Replicate(Placement):
    """Each process holds it all."""


class Shard(Placement):
    """Each process holds a slice."""


distribute_module = absent("torch.distributed.tensor.distribute_module")
distribute_tensor = absent("torch.distributed.tensor.distribute_tensor")
