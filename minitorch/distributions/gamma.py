"""The gamma distribution."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.tensors.type_info import finfo

__all__ = ["Gamma"]


class Gamma(Family, ExponentialFamily):
    """Positive numbers with density proportional to x^(a - 1) exp(-b x).

    Parameters
    ----------
    concentration : number or Tensor
        a.
    rate : number or Tensor
        b.
    validate_args : bool, optional

    Notes
    -----
    Gradients of samples with respect to a are computed by implicit differentiation of the
    distribution function [1].

    References
    ----------
    .. [1] Figurnov, Mohamed and Mnih, Implicit reparameterization gradients, 2018.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Gamma(2.0, torch.tensor([1.0, 4.0])).mean
    tensor([2.0000, 0.5000])
    """

    arg_constraints = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _tensors = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=None):
        self._set(validate_args, concentration=concentration, rate=rate)

    @property
    def mean(self):
        """The mean, a / b."""
        return self.concentration / self.rate

    @property
    def mode(self):
        """The mode, (a - 1) / b, or 0 if a < 1."""
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self):
        """The variance, a / b²."""
        return self.concentration / self.rate.pow(2)

    def _draw(self, shape):
        value = _ops._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        # samples for small a may underflow; clamp them outside the recorded history
        value.detach().clamp_(min=finfo(value.dtype).tiny)
        return value

    def log_prob(self, value):
        """Return the log density at `value`, a tensor or a number."""
        return super().log_prob(as_tensor(value, dtype=self.rate.dtype))

    def _log_density(self, value):
        a, b = self.concentration, self.rate
        return a.xlogy(b) + (a - 1).xlogy(value) - b * value - a.lgamma()

    def _cumulative(self, value):
        return _ops.igamma(self.concentration, self.rate * value)

    def entropy(self):
        """Return the entropy in nats."""
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1.0 - a) * a.digamma()

    @property
    def _natural_params(self):
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x, y):
        return (x + 1).lgamma() + (x + 1) * (-y.reciprocal()).log()
