"""Streams and events of GPUs: the classes are there to be named, and have no instances."""

from minitorch.cuda._none import dummy_class

__all__ = ["CUDAGraph", "Event", "ExternalStream", "Stream", "StreamContext", "stream"]

Stream = dummy_class("Stream", "torch.cuda.Stream requires CUDA support")
ExternalStream = dummy_class("ExternalStream", "torch.cuda.Stream requires CUDA support")
Event = dummy_class("Event")
CUDAGraph = dummy_class("CUDAGraph")


class StreamContext:
    """Choose a stream for a block; None chooses nothing."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None


def stream(stream):
    """Choose a stream for a block; None chooses nothing."""
    return StreamContext(stream)
