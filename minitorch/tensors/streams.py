"""`Stream` and `Event`: queues of work, and marks in them. The CPU's has always been worked off."""

from minitorch.core.types import device as _device

__all__ = ["Event", "Stream"]

_NO_EVENTS = "cpu backend doesn't support events."


def _cpu(device):
    """The index of the device, -1: the CPU's streams are not counted by its number."""
    if isinstance(device, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    device = _device(device)
    if device.type != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {device.type} devices")
    return -1


class Stream:
    """A queue of work of a device.

    Parameters
    ----------
    device : device, default "cpu"
    priority : int
        Changes nothing.

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
        """Whether all work is done: yes."""
        return True

    def synchronize(self):
        """Wait until all work is done: it is."""

    def wait_event(self, event):
        """Wait for a mark: nothing is done."""

    def wait_stream(self, stream):
        """Wait for another queue.

        Raises
        ------
        RuntimeError
            That takes a mark, which the CPU has not.
        """
        raise RuntimeError(_NO_EVENTS)

    def record_event(self, event=None):
        """Make a mark.

        Raises
        ------
        RuntimeError
            The CPU has none.
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
    """A mark in a queue of work.

    Parameters
    ----------
    device : device, default "cpu"
    enable_timing, blocking, interprocess : bool, default False

    Raises
    ------
    RuntimeError
        If the device is not the CPU.
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
        """Make the mark.

        Raises
        ------
        RuntimeError
            The CPU has none.
        """
        raise RuntimeError(_NO_EVENTS)

    def query(self):
        """Whether the work before it is done: yes."""
        return True

    def synchronize(self):
        """Wait until the work before it is done: it is."""

    def wait(self, stream=None):
        """Let a queue wait for it: nothing is done."""

    def elapsed_time(self, end_event):
        """The time between two marks.

        Raises
        ------
        ValueError
            If they were not to be timed.
        RuntimeError
            The CPU has none.
        """
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise RuntimeError(_NO_EVENTS)

    def __repr__(self):
        return (
            f"torch.Event device_type=cpu, device_index={self._index}, "
            f"event_flag={int(self._timed)}, event_id={self.event_id}"
        )
