"""The default device of a function."""

from minitorch.core.types import device as _device
from minitorch.overrides import TorchFunctionMode
from minitorch.utils._contextlib import context_decorator

__all__ = ["DeviceContext", "device_decorator", "set_device"]


class DeviceContext(TorchFunctionMode):
    """The default device as a mode, as in PyTorch; in the block, tensors are created on it.

    Parameters
    ----------
    device : device or str

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils._device import DeviceContext
    >>> with DeviceContext("meta"):
    ...     print(torch.ones(2).device)
    meta
    """

    def __init__(self, device):
        super().__init__()
        self.device = _device(device)

    def __enter__(self):
        self.device.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.device.__exit__(*error)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def device_decorator(device, func):
    """Return a function, or class whose methods, run with a default device."""
    return context_decorator(lambda: device, func)


def set_device(device):
    """Return a decorator that makes a function create its tensors on a device.

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
