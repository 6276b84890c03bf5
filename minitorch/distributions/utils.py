"""Helpers of distributions: broadcasting, probabilities and logits, lazy attributes."""

from functools import update_wrapper

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import arange, empty_
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.grad_mode import enable_grad
from minitorch.composed.broadcasting import broadcast_tensors
from minitorch.core.types import Size
from minitorch.tensors.type_info import finfo, get_default_dtype

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

# the Euler-Mascheroni constant, the limit of 1 + 1/2 + ... + 1/n - log n
euler_constant = 0.57721566490153286060


def is_number(value):
    """Return True if a parameter is a Python number."""
    return isinstance(value, (int, float))


def broadcast_all(*values):
    """Convert numbers and tensors to tensors of one shape.

    Parameters
    ----------
    *values : Tensor or number
        Numbers take the dtype of the first tensor, or the default dtype if there is none.

    Returns
    -------
    sequence of Tensor

    Raises
    ------
    ValueError
        If a value is neither a tensor nor a number.

    Examples
    --------
    >>> import minitorch as torch
    >>> [t.shape for t in torch.distributions.utils.broadcast_all(1.0, torch.zeros(3))]
    [torch.Size([3]), torch.Size([3])]
    """
    if not all(isinstance(v, Tensor) or is_number(v) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
            "__torch_function__."
        )
    dtype = next((v.dtype for v in values if isinstance(v, Tensor)), get_default_dtype())
    return broadcast_tensors(
        *(v if isinstance(v, Tensor) else tensor(v, dtype=dtype) for v in values)
    )


def standard_normal(shape, dtype):
    """Draw numbers from the standard normal distribution."""
    return empty_(shape, dtype=dtype).normal_()


def sum_rightmost(value, count):
    """Return the sum of `value` over its last `count` dimensions."""
    if count == 0:
        return value
    return value.reshape(*value.shape[: value.dim() - count], -1).sum(-1)


_sum_rightmost = sum_rightmost  # the name that packages import


def logits_to_probs(logits, is_binary=False):
    """Convert logits to probabilities: the softmax over the last dimension, or the sigmoid.

    Parameters
    ----------
    logits : Tensor
    is_binary : bool, default False
        Whether each logit is the log-odds of one event. If False, the last dimension holds
        unnormalized log probabilities.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.utils.logits_to_probs(torch.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return logits.sigmoid() if is_binary else logits.softmax(dim=-1)


def clamp_probs(probs):
    """Clamp probabilities to [eps, 1 - eps], where eps is the machine epsilon of their dtype."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    """Convert probabilities to logits, after clamping them with `clamp_probs`.

    Parameters
    ----------
    probs : Tensor
    is_binary : bool, default False

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.utils.probs_to_logits(torch.tensor(0.5), is_binary=True)
    tensor(0.)
    """
    inside = clamp_probs(probs)
    return inside.log() - (-inside).log1p() if is_binary else inside.log()


class lazy_property:
    """An attribute that is computed with gradients at its first read and then kept.

    Parameters
    ----------
    wrapped : callable
        The method that computes the attribute.
    """

    def __init__(self, wrapped):
        self.wrapped = wrapped
        update_wrapper(self, wrapped)

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return _ReadFromClass(self.wrapped)
        with enable_grad():
            value = self.wrapped(instance)
        # this is a non-data descriptor, so the instance attribute takes precedence from now on
        setattr(instance, self.wrapped.__name__, value)
        return value


class _ReadFromClass(lazy_property, property):
    """The value of a lazy property read from the class: a property, for documentation tools."""

    def __init__(self, wrapped):
        property.__init__(self, wrapped)


def _lower_mask(n, diag):
    columns = arange(n)
    return columns < columns.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat, diag=0):
    """Return the lower triangles of matrices as vectors, row by row.

    Parameters
    ----------
    mat : Tensor
        Matrices of shape (..., n, n).
    diag : int, default 0
        The last diagonal to include.

    Raises
    ------
    ValueError
        If the matrices have no such diagonal.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.utils.tril_matrix_to_vec(torch.ones(2, 2))
    tensor([1., 1., 1.])
    """
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower_mask(n, diag)]


def vec_to_tril_matrix(vec, diag=0):
    """Build lower triangular matrices from vectors: the inverse of `tril_matrix_to_vec`.

    Parameters
    ----------
    vec : Tensor
    diag : int, default 0

    Raises
    ------
    ValueError
        If no triangle has that many elements.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.utils.vec_to_tril_matrix(torch.tensor([1.0, 2.0, 3.0]))
    tensor([[1., 0.],
            [2., 3.]])
    """
    # the positive root of n (n + 1) / 2 + n diag - |diag| (diag + 1) / 2 = length
    b = 1 + 2 * diag
    n = (-b + (b**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower "
            "triangular part of a square D x D matrix."
        )
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + Size((n, n)))
    mat[..., _lower_mask(n, diag)] = vec
    return mat


def _standard_normal(shape, dtype, device):
    """Return `standard_normal(shape, dtype)`; some packages import this name."""
    return standard_normal(shape, dtype)
