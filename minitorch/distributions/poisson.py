"""The Poisson distribution."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import broadcast_all

__all__ = ["Poisson"]


class Poisson(Family, ExponentialFamily):
    """Counts with the probability r^k exp(-r) / k!.

    Parameters
    ----------
    rate : number or Tensor
        r.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Poisson(2.0).log_prob(torch.tensor([0.0, 1.0]))
    tensor([-2.0000, -1.3069])
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _tensors = ("rate",)

    def __init__(self, rate, validate_args=None):
        self._set(validate_args, rate=rate)

    @property
    def mean(self):
        """The mean, r."""
        return self.rate

    @property
    def mode(self):
        """The mode, the integer part of r."""
        return self.rate.floor()

    @property
    def variance(self):
        """The variance, r."""
        return self.rate

    def _draw(self, shape):
        return _ops.poisson(self.rate.expand(shape))

    def _log_density(self, value):
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self):
        return (self.rate.log(),)

    def _log_normalizer(self, x):
        return x.exp()
