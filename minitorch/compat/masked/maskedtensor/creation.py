"""How tensors with masks are made."""

from minitorch.masked.maskedtensor.core import MaskedTensor, _Made

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data, mask, requires_grad=False):
    """A `MaskedTensor` without a history.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.masked.masked_tensor(torch.tensor([1, 2]), torch.tensor([True, False])).amax()
    MaskedTensor(1, True)
    """
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """A `MaskedTensor` that gradients reach the data through."""
    return _Made.apply(data, mask)
