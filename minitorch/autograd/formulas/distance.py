"""Derivatives of distances between rows."""


def cdist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, p: float, result: Tensor, first: bool
) -> Tensor:
    """Of x1, or of x2, which is the same with the two exchanged."""
    if first:
        return _cdist_backward(contiguous(grad), x1, x2, p, result)
    turned = contiguous(transpose(result, -2, -1))
    return _cdist_backward(contiguous(transpose(grad, -2, -1)), x2, x1, p, turned)


def euclidean_dist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, first: bool
) -> Tensor:
    """The ratio of gradient and distance, times the difference; 0 where there is no distance."""
    ratio = masked_fill(grad / result, result == 0, 0)
    if first:
        return x1 * sum_dim(ratio, (-1,), True) - ratio @ x2
    turned = transpose(ratio, -2, -1)
    return x2 * sum_dim(turned, (-1,), True) - turned @ x1


def negated_or_none(grad: "Tensor?") -> Tensor:
    """-grad, and none of none."""
    if grad is None:
        return None
    return -grad
