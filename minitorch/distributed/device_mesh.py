"""Device meshes, which are absent."""

from minitorch.namespace.absent import Absent, absent

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh(Absent):
    """Multi-dimensional grid of devices; absent."""


init_device_mesh = absent("torch.distributed.device_mesh.init_device_mesh")
