"""Indexing with tensors that works inside of function transforms."""

from minitorch._dispatch.operators import ops
from minitorch._tensor import Tensor
from minitorch.overrides import TorchFunctionMode
from minitorch.utils._pytree import tree_leaves

__all__ = ["TransformGetItemToIndex"]


class TransformGetItemToIndex(TorchFunctionMode):
    """Mode in which indexing with only tensors calls `aten.index`.

    Without it, a zero-dimensional index is converted to a number, which fails inside `vmap`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex
    >>> table = torch.tensor([5, 6, 7])
    >>> with TransformGetItemToIndex():
    ...     torch.vmap(lambda i: table[i])(torch.tensor([2, 0]))
    tensor([7, 5])
    """

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is Tensor.__getitem__:
            indices = tree_leaves(args[1])
            if all(isinstance(index, Tensor) for index in indices):
                return ops.aten.index(args[0], indices)
        return func(*args, **(kwargs or {}))
