"""The default device of a function."""

from minitorch.core.types import device as _device
from minitorch.utils._contextlib import context_decorator

__all__ = ["device_decorator", "set_device"]


def device_decorator(device, func):
    """A function that runs, like the methods of a class, under a device."""
    return context_decorator(lambda: device, func)


def set_device(device):
    """Decorator: a function makes its tensors on a device.

    Parameters
    ----------
    device : device or str

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._device import set_device
    >>> @set_device("cpu")
    ... def ones():
    ...     return torch.ones(2)
    >>> ones().device
    device(type='cpu')
    """
    return lambda func: device_decorator(_device(device), func)
