"""The Cauchy distribution."""

import math

from minitorch.autograd.functions.creation import empty_, full
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family

__all__ = ["Cauchy"]


class Cauchy(Family):
    """The ratio of two independent standard normal variables, scaled and shifted.

    Parameters
    ----------
    loc : number or Tensor
        The median.
    scale : number or Tensor
        The half width at half maximum.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Cauchy(0.0, 1.0).icdf(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-1.,  0.,  1.])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _tensors = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        """nan, since the mean does not exist."""
        return full(self._extended_shape(), math.nan, dtype=self.loc.dtype)

    @property
    def mode(self):
        """The median."""
        return self.loc

    @property
    def variance(self):
        """The variance, inf."""
        return full(self._extended_shape(), math.inf, dtype=self.loc.dtype)

    def _draw(self, shape):
        return self.loc + empty_(shape, dtype=self.loc.dtype).cauchy_() * self.scale

    def _log_density(self, value):
        scaled = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - (scaled**2).log1p()

    def _cumulative(self, value):
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self):
        """Return log 4πs."""
        return math.log(4 * math.pi) + self.scale.log()
