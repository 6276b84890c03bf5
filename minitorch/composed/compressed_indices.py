"""Conversion between row indices (COO) and row pointers (CSR) of sparse matrices."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange
from minitorch.core.dtype import _dtypes

__all__ = ["_convert_indices_from_coo_to_csr", "_convert_indices_from_csr_to_coo"]


def _check_integers(name, indices):
    if indices.dtype not in (_dtypes()["int64"], _dtypes()["int32"]):
        raise NotImplementedError(
            f"\"{name}_cpu\" not implemented for '{indices.dtype._class_name}'"
        )


def _convert_indices_from_coo_to_csr(input, size, *, out_int32=False, out=None):
    """Count, for each number from 0 to `size`, the sorted indices that are smaller.

    Parameters
    ----------
    input : Tensor
        The row indices in ascending order, int64 or int32.
    size : int
        The number of rows.
    out_int32 : bool
        Whether to return int32 instead of int64.
    out : Tensor, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._convert_indices_from_coo_to_csr(torch.tensor([0, 0, 2]), 3)
    tensor([0, 2, 2, 3])
    """
    if input.dim() > 1:
        raise RuntimeError(
            f"Input is supposed to be a vector, but got {input.dim()} dimensional tensor."
        )
    _check_integers("convert_indices_from_coo_to_csr", input)
    bounds = arange(size + 1, device=input.device)
    return _rows.searchsorted(input.long().contiguous(), bounds, out_int32=out_int32, out=out)


def _convert_indices_from_csr_to_coo(
    crow_indices, col_indices, *, out_int32=False, transpose=False, out=None
):
    """Return the row and the column of each element, after its batch indices if there are any.

    Parameters
    ----------
    crow_indices : Tensor
        For each batch, the number of elements before each row, followed by the total.
    col_indices : Tensor
        The column indices.
    out_int32 : bool
        Whether to return int32 instead of int64.
    transpose : bool
        Whether to return columns before rows.
    out : Tensor, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._convert_indices_from_csr_to_coo(torch.tensor([0, 2, 2, 3]), torch.tensor([1, 0, 2]))
    tensor([[0, 0, 2],
            [1, 0, 2]])
    """
    _check_integers("convert_indices_from_csr_to_coo", crow_indices)
    counts = crow_indices.long().diff(dim=-1)
    numbers = arange(counts.size(-1), device=counts.device).expand(counts.shape)
    rows = numbers.reshape(-1).repeat_interleave(counts.reshape(-1))
    parts = [rows, col_indices.reshape(-1)]
    if transpose:
        parts.reverse()
    if crow_indices.dim() > 1:
        batches = counts.new_ones(counts.shape[:-1]).nonzero()
        parts[:0] = batches.repeat_interleave(col_indices.size(-1), 0).unbind(1)
    dtype = _dtypes()["int32" if out_int32 else "int64"]
    return _rows.stack([part.to(dtype) for part in parts], out=out)
