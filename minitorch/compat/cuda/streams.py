"""Stream, event and graph classes of CUDA, which cannot be instantiated."""

from minitorch.cuda._none import dummy_class

__all__ = ["CUDAGraph", "graph", "graph_pool_handle", "is_current_stream_capturing",
           "make_graphed_callables", "Event", "ExternalStream", "Stream", "StreamContext", "stream"]  # fmt: skip

Stream = dummy_class("Stream", "torch.cuda.Stream requires CUDA support")
ExternalStream = dummy_class("ExternalStream", "torch.cuda.Stream requires CUDA support")
Event = dummy_class("Event")
CUDAGraph = dummy_class("CUDAGraph")
graph = dummy_class("graph", "torch.cuda.Stream requires CUDA support")


def _unavailable(name, inner):
    def function(*args, **kwargs):
        """Raise RuntimeError: there is no CUDA."""
        raise RuntimeError(f"Tried to instantiate dummy base class {inner}")

    function.__name__ = function.__qualname__ = name
    return function


graph_pool_handle = _unavailable("graph_pool_handle", "_graph_pool_handle")
is_current_stream_capturing = _unavailable(
    "is_current_stream_capturing", "_cuda_isCurrentStreamCapturing"
)
make_graphed_callables = _unavailable("make_graphed_callables", "CUDAGraph")


class StreamContext:
    """Context manager that selects a stream; no effect."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None


def stream(stream):
    """Return a context manager that selects a stream; no effect."""
    return StreamContext(stream)
