"""Distributed backward passes, which are absent."""

from minitorch.namespace.absent import Absent, absent

__all__ = ["DistAutogradContext", "backward", "context", "get_gradients", "is_available"]


class DistAutogradContext(Absent):
    """State of one distributed backward pass in a process; absent."""


class context(Absent):
    """Context manager that records a distributed backward pass; absent."""


def is_available():
    """Return False: distributed autograd is not available."""
    return False


backward = absent("torch.distributed.autograd.backward")
get_gradients = absent("torch.distributed.autograd.get_gradients")
