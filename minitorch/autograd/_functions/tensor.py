"""The functions behind the old `Tensor.resize` and `Tensor.type`."""

import math
import warnings

from minitorch.autograd.function import Function

__all__ = ["Resize", "Type"]


class Type(Function):
    """Conversion to another element type, given as in ``Tensor.type``; deprecated."""

    @staticmethod
    def forward(ctx, i, dest_type):
        """Return the elements converted to the other type."""
        warnings.warn(
            "`torch.autograd._functions.Type` is deprecated as of PyTorch 2.1, please use "
            "`torch.tensor.to(dtype=dtype)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        ctx.input_type = i.type()
        return i.type(dest_type)

    @staticmethod
    def backward(ctx, grad_output):
        """Return the gradient converted back to the input's type."""
        return grad_output.type(ctx.input_type), None


class Resize(Function):
    """A copy in another shape with the same number of elements."""

    @staticmethod
    def forward(ctx, tensor, sizes):
        """Return a copy of the elements in row-major order, in the new shape."""
        ctx.numel = math.prod(sizes)
        if tensor.numel() != ctx.numel:
            raise RuntimeError(
                f"requested resize to {_product(sizes)} ({ctx.numel} elements in total), but the given "
                f"tensor has a size of {_product(tensor.size())} ({tensor.numel()} elements). autograd's "
                "resize can only change the shape of a given tensor, while preserving the number of "
                "elements. "
            )
        ctx.input_sizes = tensor.size()
        return tensor.clone().contiguous().view(*sizes)

    @staticmethod
    def backward(ctx, grad_output):
        """Return the gradient in the input's shape."""
        return grad_output.contiguous().view(ctx.input_sizes), None


def _product(sizes):
    return "x".join(map(str, sizes))
