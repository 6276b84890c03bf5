"""Processes as a grid: there is one process, and no grid."""

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh:
    """Devices in rows and columns.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.distributed.DeviceMesh is not part of minitorch")


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, backend_override=None):
    """Raises NotImplementedError: there is one process."""
    raise NotImplementedError(
        "torch.distributed.device_mesh.init_device_mesh is not part of minitorch"
    )
