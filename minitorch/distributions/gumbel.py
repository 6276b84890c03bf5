"""The Gumbel distribution."""

import math

from minitorch.autograd.functions.creation import full_like, ones_like
from minitorch.distributions import constraints
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import AffineTransform, ExpTransform
from minitorch.distributions.uniform import Uniform
from minitorch.distributions.utils import broadcast_all, euler_constant, is_number
from minitorch.tensors.type_info import finfo

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The limit distribution of maxima: loc - scale log(-log u) for u uniform in (0, 1).

    Parameters
    ----------
    loc, scale : number or Tensor
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Gumbel(0.0, 1.0).mean
    tensor(0.5772)
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    _tensors = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        info = finfo(self.loc.dtype)
        low, high = info.tiny, 1 - info.eps
        if not (is_number(loc) and is_number(scale)):
            low, high = full_like(self.loc, low), full_like(self.loc, high)
        base = Uniform(low, high, validate_args=validate_args)
        log = ExpTransform().inv
        minus = AffineTransform(loc=0, scale=-ones_like(self.scale))
        shift = AffineTransform(loc=loc, scale=-self.scale)
        super().__init__(base, [log, minus, ExpTransform().inv, shift], validate_args=validate_args)

    def _log_density(self, value):
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    @property
    def mean(self):
        """The mean, loc + γ scale, with Euler's constant γ."""
        return self.loc + self.scale * euler_constant

    @property
    def mode(self):
        """The mode, loc."""
        return self.loc

    @property
    def stddev(self):
        """The standard deviation, π scale / √6."""
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        """The variance, (π scale)² / 6."""
        return self.stddev.pow(2)

    def entropy(self):
        """Return log scale + 1 + γ."""
        return self.scale.log() + (1 + euler_constant)
