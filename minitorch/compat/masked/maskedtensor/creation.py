"""Construction of masked tensors."""

from minitorch.masked.maskedtensor.core import MaskedTensor, _Made

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data, mask, requires_grad=False):
    """Return a `MaskedTensor` that is a leaf.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.masked.masked_tensor(torch.tensor([1, 2]), torch.tensor([True, False])).amax()
    MaskedTensor(1, True)
    """
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """Return a `MaskedTensor` through which gradients flow to the data."""
    return _Made.apply(data, mask)
