"""A linear map followed by the cross entropy, as one function."""

import dataclasses

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn._loss import cross_entropy


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """PyTorch's options for computing `linear_cross_entropy` in chunks.

    They are accepted but do not change the result here.

    Parameters
    ----------
    allow_retain_graph : bool, default False
        Allow a second backward pass through the same loss.
    batch_chunk_size : int, optional
        The number of rows of a chunk.
    chunking_method : str, optional
        "auto", or a method and its number, separated by a colon.
    acc_policy : {"accurate", "balanced", "compact", "auto"}, default "auto"
        How sums are accumulated.
    acc_dtype : dtype, optional
        The dtype of these sums.

    Raises
    ------
    ValueError
        For values that PyTorch does not accept.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.LinearCrossEntropyOptions(batch_chunk_size=0)
    Traceback (most recent call last):
    ...
    ValueError: batch_chunk_size must be positive int or None, got 0
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: object = None

    def __post_init__(self):
        if self.acc_policy not in ("accurate", "balanced", "compact", "auto"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        method, size = self.chunking_method, self.batch_chunk_size
        if method is not None and method != "auto" and ":" not in method:
            raise ValueError(f"invalid chunking_method: {method!r}")
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")


def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    """Return ``cross_entropy(linear(input, linear_weight, linear_bias), target, ...)``.

    Parameters
    ----------
    input : Tensor
        (N, in_features) or (in_features,).
    linear_weight : Tensor
        (C, in_features) or (C, *, in_features).
    target : Tensor
        (N,), (N, *) or (), classes; or probabilities with the shape of the logits.
    linear_bias : Tensor, optional
        (C,) or (C, *).
    weight, reduction, ignore_index, label_smoothing
        See `cross_entropy`.
    options : optional
        PyTorch's options for chunks; they do not change the result.

    Returns
    -------
    Tensor
        A scalar, or one loss for each target if `reduction` is "none".

    Raises
    ------
    RuntimeError
        For shapes that do not match, or an `ignore_index` with probabilities.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, w = torch.zeros(1, 3), torch.ones(2, 3)
    >>> torch.nn.functional.linear_cross_entropy(x, w, torch.tensor([1]))
    tensor(0.6931)
    """
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}"
        )
    features = input.size(-1)
    if features != linear_weight.size(-1):
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{features} and {linear_weight.size(-1)}, respectively"
        )
    out = tuple(linear_weight.size()[:-1])
    if linear_bias is not None and tuple(linear_bias.size()) != out:
        raise RuntimeError(f"expected linear_bias shape {out}, got {tuple(linear_bias.size())}")
    if len(out) > 1 and input.dim() == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.size())} requires "
            f"batched input, (N, {features}), got unbatched input with shape {tuple(input.size())}"
        )
    shape = (*input.size()[:-1], *out)
    if tuple(target.size()) == shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if len(out) == 1:
        logits = _ops.linear(input, linear_weight, linear_bias)
    else:
        bias = None if linear_bias is None else linear_bias.reshape(-1)
        logits = _ops.linear(input, linear_weight.reshape(-1, features), bias).view(shape)
    return cross_entropy(
        logits,
        target,
        weight=weight,
        ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )
