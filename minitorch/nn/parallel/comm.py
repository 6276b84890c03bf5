"""Transfers to GPUs and back; there are no GPUs, so all of them raise."""

from minitorch._utils import _get_device_index

__all__ = [
    "broadcast",
    "broadcast_coalesced",
    "gather",
    "reduce_add",
    "reduce_add_coalesced",
    "scatter",
]


def _needs_devices(name, devices):
    for device in devices or ():
        _get_device_index(device)
    raise NotImplementedError(f"{name}: minitorch has tensors on the CPU only")


def broadcast(tensor, devices=None, *, out=None):
    """Raise NotImplementedError instead of copying a tensor to each device.

    Raises
    ------
    NotImplementedError
    RuntimeError
        If `devices` and `out` are both given, or neither is.
    """
    if (devices is None) == (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and "
            f"out={out}"
        )
    _needs_devices("broadcast", devices)


def broadcast_coalesced(tensors, devices, buffer_size=10485760):
    """Raise NotImplementedError instead of copying tensors to each device.

    Raises
    ------
    NotImplementedError
    """
    _needs_devices("broadcast_coalesced", devices)


def reduce_add(inputs, destination=None):
    """Raise AssertionError, since all summands must be on GPUs."""
    raise AssertionError("reduce_add expects all inputs to be on GPUs, but input 0 is on CPU")


def reduce_add_coalesced(inputs, destination=None, buffer_size=10485760):
    """Sum each group of tensors by `reduce_add`, which raises; return () without groups."""
    return tuple(reduce_add(group, destination) for group in zip(*inputs, strict=True))


def scatter(tensor, devices=None, chunk_sizes=None, dim=0, streams=None, *, out=None):
    """Raise NotImplementedError instead of splitting a tensor over devices.

    Raises
    ------
    NotImplementedError
    RuntimeError
        If `out` is given together with `devices` or `chunk_sizes`.
    """
    for name, given in (("devices", devices), ("chunk_sizes", chunk_sizes)):
        if out is not None and given is not None:
            raise RuntimeError(
                f"'{name}' must not be specified when 'out' is specified, but got {name}={given}"
            )
    _needs_devices("scatter", devices)


def gather(tensors, dim=0, destination=None, *, out=None):
    """Raise NotImplementedError instead of concatenating the parts on all devices.

    Raises
    ------
    NotImplementedError
    RuntimeError
        If `out` is given together with `destination`.
    """
    if out is not None and destination is not None:
        raise RuntimeError(
            "'destination' must not be specified when 'out' is specified, but got "
            f"destination={destination}"
        )
    _needs_devices("gather", None)
