"""Construction of masked tensors."""

from minitorch.masked.maskedtensor.core import MaskedTensor, _Made

__all__ = ["as_masked_tensor", "masked_tensor"]


def masked_tensor(data, mask, requires_grad=False):
    """Return a `MaskedTensor` that is a leaf.

    Parameters
    ----------
    data : Tensor
        A tensor of any shape.
    mask : Tensor
        A bool tensor of the same shape, true for the valid elements.
    requires_grad : bool, default False
        Whether to record operators on it.

    Returns
    -------
    MaskedTensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.masked.masked_tensor(torch.tensor([1, 2]), torch.tensor([True, False])).amax()
    MaskedTensor(1, True)
    """
    return MaskedTensor(data, mask, requires_grad)


def as_masked_tensor(data, mask):
    """Return a `MaskedTensor` through which gradients flow to the data.

    Parameters
    ----------
    data : Tensor
        A tensor of any shape.
    mask : Tensor
        A bool tensor of the same shape, true for the valid elements.

    Returns
    -------
    MaskedTensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.masked.as_masked_tensor(torch.tensor([1, 2]), torch.tensor([True, False])).amax()
    MaskedTensor(1, True)
    """
    return _Made.apply(data, mask)
