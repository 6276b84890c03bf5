"""`Stream` and `Event` for the CPU, whose queue of work is always empty."""

from minitorch.core.types import device as _device

__all__ = ["Event", "Stream"]

_NO_EVENTS = "cpu backend doesn't support events."


def _cpu(device):
    """Raise unless a device is the CPU; return -1, the device index of CPU streams."""
    if isinstance(device, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    device = _device(device)
    if device.type != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {device.type} devices")
    return -1


class Stream:
    """A queue of work on a device.

    Parameters
    ----------
    device : device, default "cpu"
    priority : int
        Ignored.
    stream_id, device_index, device_type : int, optional
        The numbers of an existing stream, instead of `device`.

    Raises
    ------
    RuntimeError
        If the device is not the CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.Stream("cpu").query()
    True
    """

    __module__ = "torch"

    def __init__(self, device="cpu", *, priority=0, stream_id=0, device_index=None, device_type=0):
        self.device_index = _cpu(device) if device_index is None else device_index
        self.device_type = device_type
        self.stream_id = stream_id

    @property
    def device(self):
        """The device."""
        return _device("cpu") if self.device_index < 0 else _device("cpu", self.device_index)

    def query(self):
        """Return True: all work is done."""
        return True

    def synchronize(self):
        """Return at once: all work is done."""

    def wait_event(self, event):
        """Return at once: there is no work that could wait for the event."""

    def wait_stream(self, stream):
        """Wait for another stream.

        Raises
        ------
        RuntimeError
            Always, because it needs an event, which the CPU does not support.
        """
        raise RuntimeError(_NO_EVENTS)

    def record_event(self, event=None):
        """Record an event in this stream.

        Raises
        ------
        RuntimeError
            Always, because the CPU does not support events.
        """
        raise RuntimeError(_NO_EVENTS)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def _key(self):
        return self.device_type, self.device_index, self.stream_id

    def __eq__(self, other):
        return isinstance(other, Stream) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return (
            f"torch.Stream device_type=cpu, device_index={self.device_index}, "
            f"stream_id={self.stream_id}"
        )


class Event:
    """A marker in a stream.

    Parameters
    ----------
    device : device, default "cpu"
    enable_timing, blocking, interprocess : bool, default False

    Raises
    ------
    RuntimeError
        If the device is not the CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.Event("cpu").query()
    True
    """

    __module__ = "torch"

    def __init__(self, device="cpu", *, enable_timing=False, blocking=False, interprocess=False):
        self._index = _cpu(device)
        self._timed = enable_timing
        self.event_id = 0

    @property
    def device(self):
        """The device."""
        return _device("cpu")

    def record(self, stream=None):
        """Record the event in a stream.

        Raises
        ------
        RuntimeError
            Always, because the CPU does not support events.
        """
        raise RuntimeError(_NO_EVENTS)

    def query(self):
        """Return True: the work before the event is done."""
        return True

    def synchronize(self):
        """Return at once: the work before the event is done."""

    def wait(self, stream=None):
        """Return at once: there is no work that could wait for the event."""

    def elapsed_time(self, end_event):
        """Return the time between two events.

        Raises
        ------
        ValueError
            If the events were not created with ``enable_timing=True``.
        RuntimeError
            Otherwise, because the CPU does not support events.
        """
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise RuntimeError(_NO_EVENTS)

    def __repr__(self):
        return (
            f"torch.Event device_type=cpu, device_index={self._index}, "
            f"event_flag={int(self._timed)}, event_id={self.event_id}"
        )
