"""Checks of the arguments of collective operations, and copies of tensors that are not contiguous."""

import itertools

from minitorch._tensor import Tensor
from minitorch.autograd import no_grad
from minitorch.autograd.functions.creation import empty_ as empty

__all__ = []


def _check_single_tensor(param, name):
    if not isinstance(param, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n"
            f"             but got {type(param)} instead."
        )


def _check_tensor_list(param, name):
    if not isinstance(param, list):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(param)} instead."
        )
    if not all(isinstance(p, Tensor) for p in param):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(param)} with elements of type {[type(p) for p in param]}."
        )


def _check_given_to_root(of, values, is_root):
    """Raise ValueError unless the list of `gather` or `scatter` is given on the root, and only there."""
    role = "destination" if of == "gather" else "source"
    if is_root and not values:
        raise ValueError(f"Argument ``{of}_list`` must be specified on {role} rank.")
    if values and not is_root:
        raise ValueError(f"Argument ``{of}_list`` must NOT be specified on non-{role} ranks.")


def _ensure_all_tensors_same_dtype(*tensors):
    dtypes = [
        tensor.dtype
        for tensor in itertools.chain.from_iterable(
            t if isinstance(t, (list, tuple)) else [t] for t in tensors
        )
    ]
    for last, dtype in itertools.pairwise(dtypes):
        if last != dtype:
            raise ValueError(
                f"Invalid usage of tensors with different dtypesFound {last} and  {dtype}"
            )


def _describe(name, tensor, *details):
    """Return what has to be the same on all ranks."""
    return (name, ("shape", tuple(tensor.shape)), ("dtype", str(tensor.dtype)), *details)


def _contiguous(tensor):
    """Return a contiguous tensor with the elements of `tensor`, which is itself if it is contiguous."""
    if tensor.is_contiguous():
        return tensor
    with no_grad():
        return tensor.detach().contiguous()


def _copy(target, source):
    """Copy elements, unless both are the same memory."""
    if target is not source:
        with no_grad():
            target.detach().copy_(source)


def _flat(count, like):
    """Return an empty contiguous tensor for `count` tensors like `like`."""
    return empty((count, *like.shape), dtype=like.dtype)


def _stack(tensors):
    """Return a contiguous tensor with the elements of `tensors`, which have the same shape."""
    rows = _flat(len(tensors), tensors[0])
    for row, tensor in zip(rows, tensors, strict=True):
        _copy(row, tensor)
    return rows
