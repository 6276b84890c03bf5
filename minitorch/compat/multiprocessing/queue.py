"""Python's queues by PyTorch's names: tensors go through them as through any pipe."""

from multiprocessing.queues import Queue, SimpleQueue

__all__ = ["Queue", "SimpleQueue"]
