"""Copies of a module on several devices."""

from minitorch._utils import _get_device_index
from minitorch.nn.parallel._functions import Broadcast

__all__ = ["replicate"]


def replicate(network, devices, detach=False):
    """Copy a module to each device; return an empty list without devices.

    Raises
    ------
    AssertionError
        If there are devices, because a module on the CPU cannot be copied to them.

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
