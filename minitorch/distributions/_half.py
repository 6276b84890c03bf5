"""Distributions of |x| for x symmetric about 0."""

from math import inf, log

from minitorch.autograd.functions.creation import zeros_like
from minitorch.composed.comparisons import where
from minitorch.distributions import constraints
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import AbsTransform


class Half(TransformedDistribution):
    """A symmetric distribution folded at 0: twice the density for positive values."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def _fold(self, base, validate_args):
        TransformedDistribution.__init__(self, base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self):
        """The scale of x."""
        return self.base_dist.scale

    @property
    def mode(self):
        """The mode, 0."""
        return zeros_like(self.scale)

    def _log_density(self, value):
        return where(value >= 0, self.base_dist.log_prob(value) + log(2), -inf)

    def cdf(self, value):
        """Return the cumulative distribution function at the given value."""
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        """Return the entropy of the underlying distribution minus log 2."""
        return self.base_dist.entropy() - log(2)
