"""Devices in checkpoints: there is only the CPU, whose autocast runs again; the rest has nothing to do."""

import functools

from minitorch.amp.autocast_mode import (
    autocast,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
)


class DefaultDeviceType:
    """The type of device whose random state is kept where no argument tells: a setting without effect.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.DefaultDeviceType.get_device_type()
    'cpu'
    """

    _default_device_type = "cpu"

    @staticmethod
    def set_device_type(device="cuda"):
        """Set it.

        Parameters
        ----------
        device : str, default "cuda"
        """
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        """The type set before."""
        return DefaultDeviceType._default_device_type


def get_device_states(*args):
    """Where tensors are besides the CPU, and the states of the random generators there: nowhere.

    Parameters
    ----------
    *args : object

    Returns
    -------
    (list of int, list of Tensor)
        Both empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.get_device_states(torch.ones(2))
    ([], [])
    """
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Set what `get_device_states` gave: nothing.

    Parameters
    ----------
    devices, states : list
        Empty, since there is only the CPU.
    device_type : str, optional

    Raises
    ------
    AttributeError
        When they are not empty.
    """
    if device_type == "meta":
        return
    for _ in zip(devices, states, strict=False):
        raise AttributeError("module 'torch.cpu' has no attribute 'device'")


def _infer_device_type(*args):
    """The type of device that a call's random states are of: all tensors are on the CPU."""
    return DefaultDeviceType.get_device_type()


for _public in (DefaultDeviceType, get_device_states, set_device_states):
    _public.__module__ = "minitorch.utils.checkpoint"


def autocast_as_now():
    """What makes contexts with the state that autocast has at this moment."""
    return functools.partial(
        autocast,
        "cpu",
        enabled=is_autocast_enabled("cpu"),
        dtype=get_autocast_dtype("cpu"),
        cache_enabled=is_autocast_cache_enabled(),
    )
