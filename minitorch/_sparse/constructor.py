"""``torch.sparse_coo_tensor``."""

from minitorch._sparse import coo
from minitorch._sparse.functions import SparseCooTensor
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.autograd.variable import TensorBase
from minitorch.core.dtype import _dtypes, _get_default_dtype


def _check(indices, values, size):
    """Raise PyTorch's errors for indices and values that do not make a tensor of this size."""
    if indices.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if values.dim() and values.shape[0] != indices.shape[1]:
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{indices.shape[1]}, nnz from values: {values.shape[0]}"
        )
    count, dense = indices.shape[0], values.dim() - 1
    if size is None:
        size = tuple(int(n) + 1 for n in indices.amax(1)) if indices.shape[1] else (0,) * count
        return (*size, *values.shape[1:])
    size = tuple(size)
    if len(size) != count + dense:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: "
            f"len(size) = {len(size)}, sparse_dim = {count}, dense_dim = {dense}"
        )
    if tuple(values.shape[1:]) != size[count:]:
        raise RuntimeError(
            f"values has incorrect size, expected {[values.shape[0], *size[count:]]}, got "
            f"{list(values.shape)}"
        )
    return size


def _check_bounds(indices, size):
    if not indices.numel():
        return
    for d, (low, high) in enumerate(
        zip(indices.amin(1).tolist(), indices.amax(1).tolist(), strict=True)
    ):
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {d}")
        if high >= size[d]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found "
                f"index {high}"
            )


def sparse_coo_tensor(
    indices,
    values=None,
    size=None,
    *,
    dtype=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    check_invariants=None,
    is_coalesced=None,
):
    """A sparse tensor from coordinates and values; what has the same coordinates is summed.

    Parameters
    ----------
    indices : array_like
        (sparse_dim, nnz), of whole numbers; or the size of a tensor without elements.
    values : array_like
        (nnz, *dense sizes).
    size : tuple of int, optional
        Default: the smallest that the indices fit in.
    dtype : dtype, optional
        Of the values; default: theirs.
    device : device, optional
        The CPU.
    pin_memory : bool, default False
        Accepted.
    requires_grad : bool, default False
        Whether the tensor is a leaf that wants a gradient.
    check_invariants : bool, optional
        Accepted; indices are always checked, so that no memory but the tensor's is read.
    is_coalesced : bool, optional
        Promise that the columns of `indices` are different and in order.

    Returns
    -------
    Tensor
        Of layout ``sparse_coo``. Gradients flow to `values`, if that is a tensor.

    Raises
    ------
    RuntimeError
        When the arguments do not fit together.

    Examples
    --------
    >>> import minitorch as torch
    >>> t = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 4))
    >>> t.to_dense()
    tensor([[0., 0., 3., 0.],
            [4., 0., 5., 0.]])
    """
    if values is None:
        size = tuple(indices) if size is None else tuple(size)
        result = coo.empty(len(size), size, dtype or _get_default_dtype())
        return result.requires_grad_() if requires_grad else result
    indices = as_tensor(indices) if not isinstance(indices, TensorBase) else indices
    values = as_tensor(values, dtype=dtype) if not isinstance(values, TensorBase) else values
    if dtype is not None:
        values = values.to(dtype)
    indices = indices.detach().to(_dtypes()["int64"])
    size = _check(indices, values, size)
    if values.dim() == 0:
        values = values.reshape(1).expand(indices.shape[1])
    _check_bounds(indices, size)
    result = SparseCooTensor.apply(indices, values, size, is_coalesced)
    return result.requires_grad_() if requires_grad else result
