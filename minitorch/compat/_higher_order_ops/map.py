"""`map`: apply a function to each slice of tensors."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.tensor_methods import stack
from minitorch.utils._pytree import tree_flatten, tree_unflatten

__all__ = ["_stack_pytree", "_unstack_pytree", "map"]


def map(f, xs, *args):
    """Call a function with each slice along the first dimension, and stack what it returns.

    Parameters
    ----------
    f : callable
        Called with slices in the structure of `xs`, and `args`.
    xs : tensors in containers
        All must have the same size along the first dimension.
    *args
        Additional arguments, the same for all slices.

    Raises
    ------
    RuntimeError
        If `xs` contains other objects than tensors, or if the sizes differ or are 0.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._higher_order_ops import map
    >>> map(lambda x, y: x * y, torch.tensor([1, 2, 3]), 2)
    tensor([2, 4, 6])
    """
    leaves, spec = tree_flatten(xs)
    if not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise RuntimeError(f"Mapped xs can only consist of tensors. Got xs {leaves}.")
    shapes = [leaf.shape for leaf in leaves]
    count = shapes[0][0]
    if count == 0:
        raise RuntimeError("Leading dimensions of mapped xs cannot be 0.")
    if any(shape[0] != count for shape in shapes):
        raise RuntimeError(
            f"Leading dimensions of mapped xs must be consistent. Got shapes {shapes}."
        )
    return _stack_pytree(
        [f(tree_unflatten([leaf[k] for leaf in leaves], spec), *args) for k in range(count)]
    )


def _stack_pytree(trees):
    """Stack the corresponding leaves of several pytrees.

    A leaf that is None in all of them stays None.
    """
    leaves = [tree_flatten(tree)[0] for tree in trees]
    stacked = []
    for same in zip(*leaves, strict=True):
        if all(isinstance(leaf, Tensor) for leaf in same):
            stacked.append(stack(same))
        elif all(leaf is None for leaf in same):
            stacked.append(None)
        else:
            raise RuntimeError(f"Cannot stack {same}.")
    return tree_unflatten(stacked, tree_flatten(trees[0])[1])


def _unstack_pytree(xs):
    """Return the list of pytrees of slices along the first dimension."""
    leaves, spec = tree_flatten(xs)
    if not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise RuntimeError(f"Leaves of xs must be Tensor {leaves}")
    if not all(leaf.shape[0] == leaves[0].shape[0] for leaf in leaves):
        raise RuntimeError(
            f"Leaves of xs must have same leading dimension size {[leaf.shape for leaf in leaves]}"
        )
    return [tree_unflatten(list(same), spec) for same in zip(*leaves, strict=True)]
