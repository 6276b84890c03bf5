"""The uniform distribution."""

from math import nan

from minitorch.autograd.functions.random import rand
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family

__all__ = ["Uniform"]


class Uniform(Family):
    """Numbers distributed uniformly in [low, high).

    Parameters
    ----------
    low, high : number or Tensor
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Uniform(0.0, 4.0).log_prob(torch.tensor(1.0)).exp()
    tensor(0.2500)
    """

    has_rsample = True
    _tensors = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self._set(validate_args, low=low, high=high)

    @property
    def arg_constraints(self):
        """Return the constraint that `low` is below `high`."""
        return {
            "low": constraints.less_than(self.high),
            "high": constraints.greater_than(self.low),
        }

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        """Return the interval from `low` to `high`."""
        return constraints.interval(self.low, self.high)

    @property
    def _width(self):
        return self.high - self.low

    @property
    def mean(self):
        """The mean, (low + high) / 2."""
        return (self.high + self.low) / 2

    @property
    def mode(self):
        """nan, since all values are equally likely."""
        return nan * self.high

    @property
    def stddev(self):
        """The standard deviation, the width / √12."""
        return self._width / 12**0.5

    @property
    def variance(self):
        """The variance, the width² / 12."""
        return self._width.pow(2) / 12

    def _draw(self, shape):
        return self.low + rand(shape, dtype=self.low.dtype) * self._width

    def _log_density(self, value):
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return inside.log() - self._width.log()

    def _cumulative(self, value):
        return ((value - self.low) / self._width).clamp(min=0, max=1)

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return value * self._width + self.low

    def entropy(self):
        """Return the logarithm of the width."""
        return self._width.log()
