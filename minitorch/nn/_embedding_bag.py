"""Sums, means and maxima of embedding rows."""

import warnings

from minitorch._sparse.gradients import sparse_embedding_bag
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.core.dtype import _dtypes
from minitorch.nn._sparse import _renormalize

_MODES = {"sum": 0, "mean": 1, "max": 2}


def _bags(input, offsets, per_sample_weights):
    """Return the flat indices, the start of each bag, and the flat weights."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
                f"fixed length sequences. However, found offsets of type {type(offsets)}"
            )
        rows, width = input.size()
        offsets = arange(0, rows * width, width, dtype=input.dtype, device=input.device)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
        return input.reshape(-1), offsets, per_sample_weights
    if input.dim() != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return input, offsets, per_sample_weights


def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """Reduce each bag of indices to the sum, mean or maximum of its rows of `weight`.

    Parameters
    ----------
    input : Tensor
        (B, N), bags of equal size, or (N,) with `offsets`.
    weight : Tensor
        (number of embeddings, embedding_dim).
    offsets : Tensor, optional
        (B,), the start of each bag.
    max_norm, norm_type : float, optional
        Rows whose norm exceeds `max_norm` are scaled down to it, in place.
    scale_grad_by_freq : bool, default False
        Divide the gradient of a row by the number of times its index occurs.
    mode : str, default "mean"
        "sum", "mean" or "max".
    sparse : bool, default False
        Make the gradient of `weight` sparse.
    per_sample_weights : Tensor, optional
        Factors, of the shape of `input`; only for the mode "sum".
    include_last_offset : bool, default False
        The last element of `offsets` is the end of the last bag.
    padding_idx : int, optional
        An index that is left out of the reduction.

    Returns
    -------
    Tensor
        (B, embedding_dim).

    Warns
    -----
    UserWarning
        When `weight` is passed before `input`, the old order; they are then swapped.

    Raises
    ------
    ValueError, NotImplementedError, RuntimeError
        For incompatible arguments.

    Examples
    --------
    >>> import minitorch as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1], [1, 1]]), table)
    tensor([[2., 3.],
            [3., 4.]])
    """
    if weight.dtype == _dtypes()["int64"] and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, "
            "input, ...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it "
            f"must have the same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        )
    include_last_offset = include_last_offset and input.dim() != 2
    indices, offsets, factors = _bags(input, offsets, per_sample_weights)
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _renormalize(weight.detach(), indices, max_norm, norm_type)
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
            f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    return embedding_bag_all(
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        _MODES[mode],
        sparse,
        factors,
        include_last_offset,
        padding_idx,
    )[0]


@without_batching_rule("aten::embedding_bag.padding_idx")
def embedding_bag_all(
    weight,
    indices,
    offsets,
    scale_grad_by_freq=False,
    mode=0,
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """Reduce bags of rows; return the result and what its backward pass uses.

    `nn.functional.embedding_bag` is the function for programs.

    Parameters
    ----------
    weight : Tensor
        (number of embeddings, embedding_dim).
    indices : Tensor
        (N,), int64 or int32.
    offsets : Tensor
        (B,), the start of each bag; the first one is 0.
    scale_grad_by_freq : bool, default False
        Divide the gradient of a row by the number of times its index occurs.
    mode : int, default 0
        0 for the sum, 1 for the mean, 2 for the maximum.
    sparse : bool, default False
        Make the gradient of `weight` sparse.
    per_sample_weights : Tensor, optional
        Factors, of the shape of `indices`; only for the sum.
    include_last_offset : bool, default False
        The last element of `offsets` is the end of the last bag.
    padding_idx : int, optional
        An index that is left out of the reduction.

    Returns
    -------
    tuple of Tensor
        The result (B, embedding_dim), the bag of each index, the size of each bag, and with mode 2
        the indices of the maxima.

    Raises
    ------
    RuntimeError
        For an index out of range, indices of another dtype, or a first offset other than 0.

    Examples
    --------
    >>> import minitorch as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.embedding_bag(table, torch.tensor([0, 1, 1]), torch.tensor([0, 1]))[0]
    tensor([[1., 2.],
            [6., 8.]])
    """
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise RuntimeError(
                f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, "
                f"but got {padding_idx}"
            )
        padding_idx %= rows
    options = scale_grad_by_freq, mode
    rest = per_sample_weights, include_last_offset, padding_idx
    if sparse:
        return sparse_embedding_bag(weight, indices, offsets, *options, *rest)
    return _ops._embedding_bag(weight, indices, offsets, *options, False, *rest)
