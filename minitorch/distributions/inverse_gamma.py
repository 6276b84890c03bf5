"""The inverse gamma distribution."""

from math import inf

from minitorch.composed.comparisons import where
from minitorch.distributions import constraints
from minitorch.distributions.gamma import Gamma
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import PowerTransform

__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """1 / x, where x is gamma distributed.

    Parameters
    ----------
    concentration : number or Tensor
        a.
    rate : number or Tensor
        b.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.InverseGamma(torch.tensor([1.0, 3.0]), 1.0).mean
    tensor([   inf, 0.5000])
    """

    arg_constraints = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        invert = PowerTransform(-base.rate.new_ones(()))
        super().__init__(base, invert, validate_args=validate_args)

    @property
    def concentration(self):
        """The concentration, a."""
        return self.base_dist.concentration

    @property
    def rate(self):
        """The rate, b."""
        return self.base_dist.rate

    @property
    def mean(self):
        """The mean, b / (a - 1), or inf."""
        a = self.concentration
        return where(a > 1, self.rate / (a - 1), inf)

    @property
    def mode(self):
        """The mode, b / (a + 1)."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        """The variance, b² / ((a - 1)² (a - 2)), or inf."""
        a = self.concentration
        return where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), inf)

    def entropy(self):
        """Return the entropy in nats."""
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()
