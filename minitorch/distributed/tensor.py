"""Tensors spread over processes: no tensor is, which is what programs ask with ``isinstance``."""

from minitorch.distributed.device_mesh import DeviceMesh, init_device_mesh

__all__ = ["DTensor", "DeviceMesh", "distribute_tensor", "init_device_mesh"]


class DTensor:
    """A tensor spread over processes; there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.distributed.tensor.DTensor is not part of minitorch")


def distribute_tensor(tensor, device_mesh=None, placements=None, **options):
    """Raises NotImplementedError: there is one process."""
    raise NotImplementedError("torch.distributed.tensor.distribute_tensor is not part of minitorch")
