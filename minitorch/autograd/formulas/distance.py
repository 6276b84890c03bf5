"""Derivatives of distances between rows."""


def cdist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, p: float, result: Tensor, first: bool
) -> Tensor:
    """Of x1, or of x2, which is the same with the two exchanged; the recorded form is written out,
    so that it has derivatives of its own."""
    if RECORDED and not computed_by_python(x1):
        difference = unsqueeze(x1, -2) - unsqueeze(x2, -3)
        total = norm_backward(
            unsqueeze(grad, -1), difference, p, unsqueeze(result, -1), (-1,), True
        )
        return sum_dim(total, (-2,)) if first else -sum_dim(total, (-3,))
    if first:
        return _cdist_backward(grad, x1, x2, p, result)
    return _cdist_backward(transpose(grad, -2, -1), x2, x1, p, transpose(result, -2, -1))


def euclidean_dist_grad(
    grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, first: bool
) -> Tensor:
    """The ratio of gradient and distance, times the difference; 0 where there is no distance."""
    ratio = masked_fill(grad / result, result == 0, 0)
    if first:
        return x1 * sum_dim(ratio, (-1,), True) - ratio @ x2
    turned = transpose(ratio, -2, -1)
    return x2 * sum_dim(turned, (-1,), True) - turned @ x1


def no_second_derivative(grad: Tensor, name: str) -> Tensor:
    """PyTorch has none."""
    raise NotImplementedError("the derivative for '" + name + "' is not implemented.")
