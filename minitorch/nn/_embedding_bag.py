"""Sums, means and maxima of looked-up rows."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange, zeros
from minitorch.autograd.functions.from_data import tensor
from minitorch.nn._sparse import _renormalize


def _bags(input, offsets, per_sample_weights, include_last_offset):
    """The indices in one row, their weights, and where the bags start and end."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
                f"fixed length sequences. However, found offsets of type {type(offsets)}"
            )
        rows, width = input.size()
        edges = [k * width for k in range(rows + 1)]
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
        return input.reshape(-1), per_sample_weights, edges
    if input.dim() != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    edges = offsets.tolist()
    if include_last_offset and not edges:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if edges and edges[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {edges[0]}\n[ torch.LongTensor{{}} ]"
        )
    if edges and edges[-1] > input.size(0):
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length({input.size(0)}) but got offsets[-1] "
            f"of {edges[-1]}"
        )
    return input, per_sample_weights, edges if include_last_offset else [*edges, input.size(0)]


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
    """The sum, mean or maximum of the rows of `weight` that each bag of indices names.

    Parameters
    ----------
    input : Tensor
        (B, N), bags of equal size, or (N,) with `offsets`.
    weight : Tensor
        (number of embeddings, embedding_dim).
    offsets : Tensor, optional
        (B,), where each bag begins.
    max_norm, norm_type : float, optional
        Rows that are longer are scaled down to it, in place.
    scale_grad_by_freq : bool, default False
        Whether a row's gradient is divided by how often it is named.
    mode : str, default "mean"
        "sum", "mean" or "max".
    per_sample_weights : Tensor, optional
        Of the input's shape, factors; for "sum" only.
    include_last_offset : bool, default False
        Whether `offsets` ends with the end of the last bag.
    padding_idx : int, optional
        A row that counts for nothing.

    Returns
    -------
    Tensor
        (B, embedding_dim).

    Raises
    ------
    ValueError, NotImplementedError, RuntimeError
        For arguments that do not go together.

    Examples
    --------
    >>> import minitorch as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1], [1, 1]]), table)
    tensor([[2., 3.],
            [3., 4.]])
    """
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it "
            f"must have the same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        )
    indices, factors, edges = _bags(input, offsets, per_sample_weights, include_last_offset)
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _renormalize(weight, indices, max_norm, norm_type)
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
            f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    number = weight.size(0)
    if padding_idx is not None:
        if not -number <= padding_idx < number:
            raise RuntimeError("padding_idx must be within the number of embeddings")
        padding_idx %= number
    rows = _ops.embedding(weight, indices, -1, scale_grad_by_freq, sparse)
    counted = None if padding_idx is None else (indices != padding_idx)
    if counted is not None and mode != "max":
        rows = rows.masked_fill(~counted.unsqueeze(1), 0.0)
    sizes = [b - a for a, b in zip(edges, edges[1:], strict=False)]
    if mode == "max":
        return _maxima(rows, counted, edges, max(sizes, default=0))
    if factors is not None:
        rows = rows * factors.unsqueeze(1)
    bag = tensor([k for k, n in enumerate(sizes) for _ in range(n)]).long()
    result = zeros((len(sizes), weight.size(1)), dtype=weight.dtype).index_add(0, bag, rows)
    if mode == "mean":
        present = tensor([1] * indices.size(0)) if counted is None else counted.long()
        count = zeros((len(sizes),), dtype=present.dtype).index_add(0, bag, present.long())
        result = result / count.clamp_min(1).unsqueeze(1).to(weight.dtype)
    return result


def _maxima(rows, counted, edges, longest):
    """Of each bag, filled up to one size with what is never the maximum."""
    bags, width = len(edges) - 1, rows.size(1)
    if longest == 0:
        return zeros((bags, width), dtype=rows.dtype)
    at = tensor(edges[:-1]).unsqueeze(1) + arange(0, longest)
    inside = at < tensor(edges[1:]).unsqueeze(1)
    at = at.clamp_max(rows.size(0) - 1)
    if counted is not None:
        inside = inside & counted[at]
    found = rows[at].masked_fill(~inside.unsqueeze(2), -math.inf).max(1)[0]
    return found.masked_fill(~inside.any(1).unsqueeze(1), 0.0)
