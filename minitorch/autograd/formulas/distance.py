"""Derivatives of distances between rows."""


def cdist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, p: float, result: Tensor, first: bool
) -> Tensor:
    """Return the gradient of x1 or of x2; the latter exchanges the two operands."""
    if first:
        return _cdist_backward(contiguous(grad), x1, x2, p, result)
    turned = contiguous(transpose(result, -2, -1))
    return _cdist_backward(contiguous(transpose(grad, -2, -1)), x2, x1, p, turned)


def euclidean_dist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, first: bool
) -> Tensor:
    """Return the gradient: grad / distance times the difference, and 0 where the distance is 0."""
    ratio = masked_fill(grad / result, result == 0, 0)
    if first:
        return x1 * sum_dim(ratio, (-1,), True) - ratio @ x2
    turned = transpose(ratio, -2, -1)
    return x2 * sum_dim(turned, (-1,), True) - turned @ x1


def negated_or_none(grad: "Tensor?") -> Tensor:
    """Return -grad, or None for None."""
    if grad is None:
        return None
    return -grad
