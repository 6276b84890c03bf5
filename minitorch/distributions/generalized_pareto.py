"""The generalized Pareto distribution."""

from math import inf, nan

from minitorch.autograd.functions.creation import ones_like, zeros_like
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.random import rand
from minitorch.composed.comparisons import isclose, where
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Family):
    """Numbers x >= `loc` with the survival function (1 + c z)^(-1/c), z = (x - loc) / scale.

    Parameters
    ----------
    loc : number or Tensor
    scale : number or Tensor
    concentration : number or Tensor
        c. For c = 0 the distribution is exponential; for c < 0 it is bounded above.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.GeneralizedPareto(0.0, 1.0, torch.tensor([-0.5, 0.0, 0.5])).mean
    tensor([0.6667, 1.0000, 2.0000])
    """

    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True
    _tensors = ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale, concentration=concentration)

    def _exponential_and_safe(self, zero):
        """Return a mask of where c is close to 0, and c with these values replaced by 1."""
        c = self.concentration
        is_zero = isclose(c, zero)
        return is_zero, where(is_zero, ones_like(c), c)

    def _z(self, value):
        return (value - self.loc) / self.scale

    def _draw(self, shape):
        return self.icdf(rand(shape, dtype=self.loc.dtype))

    def _log_density(self, value):
        z = self._z(value)
        is_zero, c = self._exponential_and_safe(tensor(0.0))
        power = 1 / c + ones_like(z)
        general = where(power == 0, power, power * (c * z).log1p())
        return -self.scale.log() - where(is_zero, z, general)

    def log_survival_function(self, value):
        """Return the logarithm of the survival function, 1 - cdf."""
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        is_zero, c = self._exponential_and_safe(tensor(0.0))
        return where(is_zero, -z, -(c * z).log1p() / c)

    def log_cdf(self, value):
        """Return the logarithm of `cdf`."""
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value):
        """Return the cumulative distribution function at the given value."""
        return self.log_cdf(value).exp()

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        is_zero, c = self._exponential_and_safe(zeros_like(self.concentration))
        log_above = (-value).log1p()
        general = self.loc + self.scale / c * (-c * log_above).expm1()
        return where(is_zero, self.loc - self.scale * log_above, general)

    @property
    def mean(self):
        """The mean, loc + scale / (1 - c), for c below 1."""
        exists = self.concentration < 1
        c = where(exists, self.concentration, 0.5)
        return where(exists, self.loc + self.scale / (1 - c), nan)

    @property
    def variance(self):
        """The variance, scale² / ((1 - c)² (1 - 2c)); nan unless c < 1/2."""
        exists = self.concentration < 0.5
        c = where(exists, self.concentration, 0.25)
        return where(exists, self.scale**2 / ((1 - c) ** 2 * (1 - 2 * c)), nan)

    def entropy(self):
        """Return log scale + c + 1."""
        return (self.scale.log() + self.concentration + 1).broadcast_to(self._batch_shape)

    @property
    def mode(self):
        """The mode, loc."""
        return self.loc

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        """Return the interval from `loc` to the upper bound, which is infinite for c >= 0."""
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, where(self.concentration < 0, end, inf))
