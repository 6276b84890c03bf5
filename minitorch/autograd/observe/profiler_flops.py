"""Counts of multiplications and additions, for the operators that PyTorch counts."""

import math

from minitorch.autograd.variable import TensorBase

__all__ = ["flops_of"]


def flops_of(name, arguments):
    """Return the multiplications and additions of a call.

    The result is 0 for invalid calls and for operators that PyTorch does not count.
    """
    try:
        return _counted(name, arguments)
    except (IndexError, ValueError, ZeroDivisionError):
        return 0


def _counted(name, arguments):
    tensors = [a for a in arguments if isinstance(a, TensorBase)]
    if name in ("mm", "addmm"):
        a, b = tensors[-2:]
        return 2 * a.shape[0] * a.shape[1] * b.shape[1]
    if name in ("bmm", "baddbmm"):
        a, b = tensors[-2:]
        return 2 * a.shape[0] * a.shape[1] * a.shape[2] * b.shape[2]
    if name in ("add", "mul"):
        # a tensor made from a number before class Tensor was created has no shape
        return max((math.prod(getattr(t, "shape", ())) for t in tensors), default=0)
    if name == "convolution":
        return _convolution_flops(*arguments)
    return 0


def _convolution_flops(
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
):
    if transposed:
        return 2 * input.numel() * weight[0].numel()
    spatial = 1
    for n, k, s, p, d in zip(
        input.shape[2:], weight.shape[2:], stride, padding, dilation, strict=True
    ):
        spatial *= (n + 2 * p - d * (k - 1) - 1) // s + 1
    return 2 * input.shape[0] * spatial * weight.numel()
