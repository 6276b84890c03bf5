"""Norms of a weight's slices, and helpers shared by weight norm and spectral norm."""

from minitorch._tensor import Tensor
from minitorch.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d


def norm_except_dim(v, pow=2, dim=0):
    """Return the norm of each slice along `dim`, in a shape that broadcasts.

    For ``dim=-1``, return the norm of all elements.
    """
    if not isinstance(v, Tensor):
        raise TypeError(
            f"norm_except_dim(): argument 'v' (position 1) must be Tensor, not {type(v).__name__}"
        )
    if dim == -1:
        return v.norm(pow)
    if dim not in (0, v.dim() - 1):
        return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)
    size = [1] * v.dim()
    size[dim] = v.size(dim)
    slices = v.contiguous().view(v.size(0), -1) if dim == 0 else v.contiguous().view(-1, size[dim])
    return slices.norm(pow, 0 if dim else 1).view(size)


def scale_to_norm(v, g, dim):
    """Scale the slices of `v` to the norms `g`: g v / |v| [1].

    References
    ----------
    .. [1] Salimans and Kingma, Weight normalization: a simple reparameterization to accelerate training
       of deep neural networks, 2016.
    """
    return v * (g / norm_except_dim(v, 2, dim))


def output_dim(module):
    """Return the dimension of a layer's weight that indexes its outputs."""
    return int(isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)))


def as_matrix(weight, dim):
    """Return the weight as a matrix whose rows are its slices along `dim`."""
    if dim != 0:
        weight = weight.permute(dim, *(d for d in range(weight.dim()) if d != dim))
    return weight.flatten(1)
