"""Derivatives that want more than one line; derivatives.toml calls them.

This file is not imported: tools/generate.py writes each function out twice, on TensorImpls and on
recorded Tensors, as it does with the formulas of the table. So it is restricted Python: operators of
the table, numbers, ``if`` and ``for``; annotations give the kind of each argument.
"""


def maybe_multiply(t: Tensor, s: Scalar) -> Tensor:
    """t * s, without the multiplication by one."""
    return t if s == 1 else t * s


def sum_backward(grad: Tensor, sizes: "int[]", dim: "int[]?", keepdim: bool) -> Tensor:
    """Every element got into the sum once."""
    return unsqueeze_reduced(grad, sizes, dim, keepdim).expand(sizes)


def unsqueeze_reduced(grad: Tensor, sizes: "int[]", dim: "int[]?", keepdim: bool) -> Tensor:
    """Give the dimensions that a reduction took away back, with size one."""
    if keepdim or dim is None or dim == () or len(sizes) == 0:
        return grad
    for d in sorted([k % len(sizes) for k in dim]):
        grad = unsqueeze(grad, d)
    return grad
