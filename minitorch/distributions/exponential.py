"""The exponential distribution."""

from minitorch.autograd.functions.creation import empty_, zeros_like
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family
from minitorch.distributions.exp_family import ExponentialFamily

__all__ = ["Exponential"]


class Exponential(Family, ExponentialFamily):
    """Positive numbers with density r exp(-r x).

    Parameters
    ----------
    rate : number or Tensor
        r.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Exponential(2.0).cdf(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8647])
    """

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _tensors = ("rate",)

    def __init__(self, rate, validate_args=None):
        self._set(validate_args, rate=rate)

    @property
    def mean(self):
        """The mean, 1 / r."""
        return self.rate.reciprocal()

    @property
    def mode(self):
        """The mode, 0."""
        return zeros_like(self.rate)

    @property
    def stddev(self):
        """The standard deviation, 1 / r."""
        return self.rate.reciprocal()

    @property
    def variance(self):
        """The variance, 1 / r²."""
        return self.rate.pow(-2)

    def _draw(self, shape):
        return empty_(shape, dtype=self.rate.dtype).exponential_() / self.rate

    def _log_density(self, value):
        return self.rate.log() - self.rate * value

    def _cumulative(self, value):
        return 1 - (-self.rate * value).exp()

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return -(-value).log1p() / self.rate

    def entropy(self):
        """Return the entropy, 1 - log r."""
        return 1.0 - self.rate.log()

    @property
    def _natural_params(self):
        return (-self.rate,)

    def _log_normalizer(self, x):
        return -(-x).log()
