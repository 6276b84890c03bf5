"""The normal distribution."""

import math

from minitorch.autograd.functions.random import normal
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import standard_normal

__all__ = ["Normal"]


class Normal(Family, ExponentialFamily):
    """Numbers with density proportional to exp(-(x - m)² / (2 s²)).

    Parameters
    ----------
    loc : number or Tensor
        m.
    scale : number or Tensor
        s.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> d = torch.distributions.Normal(torch.tensor([0.0, 1.0]), 2.0)
    >>> d
    Normal(loc: torch.Size([2]), scale: torch.Size([2]))
    >>> d.cdf(torch.tensor(1.0))
    tensor([0.6915, 0.5000])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0
    _tensors = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        """The mean, m."""
        return self.loc

    @property
    def mode(self):
        """The mode, m."""
        return self.loc

    @property
    def stddev(self):
        """The standard deviation, s."""
        return self.scale

    @property
    def variance(self):
        """The variance, s²."""
        return self.stddev.pow(2)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def _draw(self, shape):
        return self.loc + standard_normal(shape, self.loc.dtype) * self.scale

    def _log_density(self, value):
        exponent = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return exponent - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def _cumulative(self, value):
        scaled = (value - self.loc) * self.scale.reciprocal() / math.sqrt(2)
        return 0.5 * (1 + scaled.erf())

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self):
        """Return the entropy, (1 + log 2π) / 2 + log s."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self):
        variance = self.scale.pow(2)
        return self.loc / variance, -0.5 * variance.reciprocal()

    def _log_normalizer(self, x, y):
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()
