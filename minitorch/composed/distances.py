"""Distances between the rows of matrices. PyTorch's counterpart is ``native/Distance.cpp``."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.python_signatures import parsed_as

__all__ = ["cdist", "pdist"]

# names of the modes -> PyTorch's number in the operator
_MODES = {
    "use_mm_for_euclid_dist_if_necessary": None,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Compute the distance of each row of `x1` from each row of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor
        ``(*, P, M)`` and ``(*, R, M)``.
    p : float
        The order of the norm, from 0 to inf.
    compute_mode : str
        Whether to compute Euclidean distances by a matrix product, which is faster and less
        exact: ``"use_mm_for_euclid_dist"``, ``"donot_use_mm_for_euclid_dist"``, or, by default,
        only if one of the two has more than 25 rows.

    Returns
    -------
    Tensor
        ``(*, P, R)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.cdist(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [6.0, 8.0]]))
    tensor([[ 5., 10.]])
    """
    if compute_mode not in _MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return _cdist(x1, x2, p, _MODES[compute_mode])


@parsed_as("cdist")
def _cdist(x1, x2, p=2.0, compute_mode=None):
    for name, t in (("X1", x1), ("X2", x2)):
        if t.dim() < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {t.dim()}D")
    if x1.size(-1) != x2.size(-1):
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.size(-1)} X2: {x2.size(-1)}"
        )
    for name, t in (("X1", x1), ("X2", x2)):
        if not t.is_floating_point():
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {t.dtype._class_name}"
            )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    many = compute_mode == 1 or (not compute_mode and max(x1.size(-2), x2.size(-2)) > 25)
    if p == 2 and many and x1.numel() and x2.numel() and x1.dtype == x2.dtype:
        result = _rows._euclidean_dist(x1, x2)
        return result.view(result.shape)
    return _rows._cdist_forward(x1, x2, p)


@parsed_as("pdist")
def pdist(input, p=2):
    """Compute the distances of all pairs of rows, those of the first row first.

    Parameters
    ----------
    input : Tensor
        ``(N, M)``.
    p : float
        The order of the norm, from 0 to inf.

    Returns
    -------
    Tensor
        ``(N * (N - 1) / 2,)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]))
    tensor([5., 3., 4.])
    """
    if input.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.dim()}D")
    if not input.is_floating_point():
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return _rows._pdist_forward(input.contiguous(), p)
