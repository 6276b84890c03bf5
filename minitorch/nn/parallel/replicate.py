"""Copies of a module on each device."""

from minitorch._utils import _get_device_index
from minitorch.nn.parallel._functions import Broadcast

__all__ = ["replicate"]


def replicate(network, devices, detach=False):
    """A copy of a module on each device: for no devices, none.

    Raises
    ------
    AssertionError
        If there are devices: a module on the CPU is not copied to them.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.parallel.replicate(torch.nn.Linear(1, 1), [])
    []
    """
    for device in devices:
        _get_device_index(device, True)
    if devices:
        Broadcast.apply(devices, *network.parameters())
        raise NotImplementedError("replicate: minitorch has tensors on the CPU only")
    return []
