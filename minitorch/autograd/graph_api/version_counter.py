"""`_unsafe_preserve_version_counter`; also available in ``torch.autograd.grad_mode``."""

from minitorch.autograd import grad_mode
from minitorch.autograd.inplace import _unsafe_set_version_counter
from minitorch.autograd.variable import TensorBase
from minitorch.core.decorator import DecoratorContextManager


class _unsafe_preserve_version_counter(DecoratorContextManager):
    """Restore the version counters of `tensors` on exit, so that writes inside are not counted.

    If the values have changed by then, gradients may be wrong without an error.

    Parameters
    ----------
    tensors : Tensor or tuple of Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2)
    >>> with torch.autograd.grad_mode._unsafe_preserve_version_counter(x):
    ...     _ = x.mul_(1)
    >>> x._version
    0
    """

    def __init__(self, tensors):
        self.tensors = (tensors,) if isinstance(tensors, TensorBase) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.prev_versions = tuple(t._version for t in self.tensors)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        _unsafe_set_version_counter(self.tensors, self.prev_versions)


# grad_mode is a compiled module in a lower layer, so the class is added to it from here
_unsafe_preserve_version_counter.__module__ = grad_mode.__name__
grad_mode._unsafe_preserve_version_counter = _unsafe_preserve_version_counter
