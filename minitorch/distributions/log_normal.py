"""The log-normal distribution."""

from minitorch.distributions import constraints
from minitorch.distributions.normal import Normal
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import ExpTransform

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """exp(x), where x is normal.

    Parameters
    ----------
    loc : number or Tensor
        The mean of x.
    scale : number or Tensor
        The standard deviation of x.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.LogNormal(0.0, 1.0).mean
    tensor(1.6487)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self):
        """The mean of x."""
        return self.base_dist.loc

    @property
    def scale(self):
        """The standard deviation of x."""
        return self.base_dist.scale

    @property
    def mean(self):
        """The mean, exp(loc + scale²/2)."""
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        """The mode, exp(loc - scale²)."""
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        """The variance, (exp(scale²) - 1) exp(2 loc + scale²)."""
        squared = self.scale.pow(2)
        return squared.expm1() * (2 * self.loc + squared).exp()

    def entropy(self):
        """Return the entropy of the underlying normal plus loc."""
        return self.base_dist.entropy() + self.loc
