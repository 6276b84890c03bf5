"""Device handling of checkpoints: only autocast has state, since there is only the CPU."""

import functools

from minitorch.amp.autocast_mode import (
    autocast,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
)


class DefaultDeviceType:
    """The device type whose random state is saved by default; it has no effect here.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.DefaultDeviceType.get_device_type()
    'cpu'
    """

    _default_device_type = "cpu"

    @staticmethod
    def set_device_type(device="cuda"):
        """Set the default device type.

        Parameters
        ----------
        device : str, default "cuda"
        """
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        """Return the default device type."""
        return DefaultDeviceType._default_device_type


def get_device_states(*args):
    """Return the devices of the arguments other than the CPU, and their random states: none.

    Parameters
    ----------
    *args : object
        The arguments of the function to checkpoint.

    Returns
    -------
    (list of int, list of Tensor)
        Two empty lists.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.get_device_states(torch.ones(2))
    ([], [])
    """
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Restore the states returned by `get_device_states`: none.

    Parameters
    ----------
    devices, states : list
        Empty, since there is only the CPU.
    device_type : str, optional

    Raises
    ------
    AttributeError
        If the lists are not empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.set_device_states([], [])
    """
    if device_type == "meta":
        return
    for _ in zip(devices, states, strict=False):
        raise AttributeError("module 'torch.cpu' has no attribute 'device'")


def _infer_device_type(*args):
    """Return the device type whose random state is saved."""
    return DefaultDeviceType.get_device_type()


for _public in (DefaultDeviceType, get_device_states, set_device_states):
    _public.__module__ = "minitorch.utils.checkpoint"


def autocast_as_now():
    """Return a factory of contexts with the current autocast state."""
    return functools.partial(
        autocast,
        "cpu",
        enabled=is_autocast_enabled("cpu"),
        dtype=get_autocast_dtype("cpu"),
        cache_enabled=is_autocast_cache_enabled(),
    )
