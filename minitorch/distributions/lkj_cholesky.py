"""The LKJ distribution of Cholesky factors of correlation matrices."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.autograd.functions.random import randn
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.beta import Beta
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.utils import broadcast_all
from minitorch.tensors.type_info import finfo

__all__ = ["LKJCholesky"]


class LKJCholesky(Family):
    """Cholesky factors L of correlation matrices R with density proportional to det(R)^(eta - 1).

    Parameters
    ----------
    dim : int
        The number of rows.
    concentration : number or Tensor, default 1.0
        eta. With 1, all correlation matrices are equally likely.
    validate_args : bool, optional

    Notes
    -----
    Samples are drawn by the "onion" method [1], row by row: the squared length of the part below
    the diagonal follows a beta distribution and its direction is uniform on a sphere.

    References
    ----------
    .. [1] Lewandowski, Kurowicka and Joe, Generating random correlation matrices based on vines and
       extended onion method, 2009.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.LKJCholesky(3, 0.5).sample((2,)).shape
    torch.Size([2, 3, 3])
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _tensors = ("concentration",)
    _parts = ("_beta",)
    _kept = ("dim",)

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        # the first row has no part below the diagonal, so its beta variate is not used
        row = arange(dim - 1, dtype=self.concentration.dtype)
        row = _ops.cat([row.new_zeros((1,)), row])
        marginal = (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1)
        self._beta = Beta(row + 0.5, marginal - 0.5 * row)
        shape = self.concentration.size()
        Distribution.__init__(self, shape, Size((dim, dim)), validate_args)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw Cholesky factors without recording a history."""
        squares = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = randn(self._extended_shape(sample_shape), dtype=squares.dtype).tril(-1)
        direction = normal / normal.norm(dim=-1, keepdim=True)
        direction[..., 0, :].fill_(0.0)
        below = squares.sqrt() * direction
        left = (1 - (below**2).sum(dim=-1)).clamp(min=finfo(below.dtype).tiny)
        return below + left.sqrt().diag_embed()

    def _log_density(self, value):
        eta, below = self.concentration, self.dim - 1
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = 2 * (eta - 1).unsqueeze(-1) + self.dim - arange(2, self.dim + 1)
        alpha = eta + 0.5 * below
        normalizer = (
            0.5 * below * math.log(math.pi) + (alpha - 0.5).mvlgamma(below) - alpha.lgamma() * below
        )
        return (order * diagonal.log()).sum(dim=-1) - normalizer
