"""`ExpandedWeight`: a parameter that gets a gradient for each sample, in ``grad_sample``.

It replaces a module's parameter during one call. `layers.py` and `recurrent.py` define the
functions that support it; all others raise.
"""

from minitorch._tensor import Tensor

__all__ = ["HANDLED_FUNCTIONS", "ExpandedWeight", "implements_per_sample_grads"]

HANDLED_FUNCTIONS: dict = {}  # function -> the autograd Function called instead


def implements_per_sample_grads(torch_function):
    """Return a decorator for a `Function` that computes `torch_function` with expanded weights."""

    def register(autograd_function):
        HANDLED_FUNCTIONS[torch_function] = autograd_function
        return autograd_function

    return register


class ExpandedWeight(Tensor):
    """A parameter for one batch.

    Parameters
    ----------
    orig_weight : Tensor
        Must require grad; the backward pass sets its ``grad_sample``.
    batch_size : int
    loss_reduction : {"sum", "mean"}
        How the loss is reduced over the samples.
    """

    handled_functions = HANDLED_FUNCTIONS

    def __new__(cls, orig_weight, batch_size, loss_reduction):
        if not isinstance(orig_weight, Tensor):
            raise RuntimeError(
                f"Can only make Expanded Weights of Tensors, got {type(orig_weight).__name__}"
            )
        if not orig_weight.requires_grad:
            raise RuntimeError(
                "Can only build ExpandedWeights objects of tensors that requires_grad"
            )
        return Tensor._make_subclass(cls, orig_weight, True)

    def __init__(self, orig_weight, batch_size, loss_reduction):
        self.batch_size = batch_size
        self.batch_first = True
        self.allow_smaller_batches = False
        self.orig_weight = orig_weight
        self.loss_reduction = loss_reduction

    @classmethod
    def __torch_function__(cls, func, _, args=(), kwargs=None):
        kwargs = kwargs or {}
        handler = cls.handled_functions.get(func)
        if handler is None:
            # it is unknown which of the other arguments have a batch dimension
            raise RuntimeError(
                f"Expanded Weights encountered but cannot handle function {func.__name__}"
            )
        return handler.apply(tuple(kwargs), func, *args, *kwargs.values())

    @property
    def dtype(self):
        """The dtype of the parameter."""
        return self.orig_weight.dtype

    @property
    def data(self):
        """The data of the parameter."""
        return self.orig_weight.data

    @property
    def shape(self):
        """The shape of the parameter."""
        return self.orig_weight.shape

    @property
    def device(self):
        """The device of the parameter."""
        return self.orig_weight.device

    @property
    def is_cuda(self):
        """Always False."""
        return self.orig_weight.is_cuda

    def data_ptr(self):
        """Return the address of the parameter's data."""
        return self.orig_weight.data_ptr()

    def get_device(self):
        """Return the device index of the parameter."""
        return self.orig_weight.get_device()

    def set_allow_smaller_batches(self, is_allow_smaller_batches):
        """Allow batches smaller than `batch_size`, as in the steps of packed sequences."""
        self.allow_smaller_batches = is_allow_smaller_batches

    def set_batch_first(self, is_batch_first=True):
        """Set whether samples are along the first dimension or the second."""
        self.batch_first = is_batch_first
