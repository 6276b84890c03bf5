"""A backward pass through several processes: there is one process."""

from minitorch.namespace.absent import Absent, absent

__all__ = ["DistAutogradContext", "backward", "context", "get_gradients", "is_available"]


class DistAutogradContext(Absent):
    """What one backward pass knows in each process."""


class context(Absent):
    """Within, operations are recorded for all processes."""


def is_available():
    """Whether processes can be differentiated through: no."""
    return False


backward = absent("torch.distributed.autograd.backward")
get_gradients = absent("torch.distributed.autograd.get_gradients")
