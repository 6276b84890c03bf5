"""Conversion of parameters to one vector and back."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.tensors.tensor_types import typename


def parameters_to_vector(parameters):
    """Concatenate the elements of all parameters.

    Parameters
    ----------
    parameters : iterable of Tensor

    Returns
    -------
    Tensor
        A vector; gradients flow back to the parameters.

    Raises
    ------
    RuntimeError
        When a parameter cannot be viewed as a vector because of its strides.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.parameters_to_vector(torch.nn.Linear(2, 3).parameters()).shape
    torch.Size([9])
    """
    return _ops.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Make the parameters views of consecutive parts of a vector.

    Parameters
    ----------
    vec : Tensor
        A vector.
    parameters : iterable of Tensor
        The parameters, whose `data` is replaced.

    Raises
    ------
    TypeError
        When `vec` is not a tensor.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Linear(2, 1)
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([1.0, 2.0, 3.0]), layer.parameters())
    >>> layer.weight.data, layer.bias.data
    (tensor([[1., 2.]]), tensor([3.]))
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    at = 0
    for p in parameters:
        count = p.numel()
        p.data = vec[at : at + count].view_as(p).data
        at += count
