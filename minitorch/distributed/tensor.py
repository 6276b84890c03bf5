"""Tensors spread over processes: no tensor is, which is what programs ask with ``isinstance``."""

from minitorch._absent import Absent, absent
from minitorch.distributed.device_mesh import DeviceMesh, init_device_mesh

__all__ = ["DTensor", "DeviceMesh", "distribute_tensor", "init_device_mesh"]


class DTensor(Absent):
    """A tensor spread over processes."""


distribute_tensor = absent("torch.distributed.tensor.distribute_tensor")
