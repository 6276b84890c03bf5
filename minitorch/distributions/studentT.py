"""Student's t-distribution."""

import math

from minitorch.core.types import Size, contiguous_format
from minitorch.distributions import constraints
from minitorch.distributions.chi2 import Chi2
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.utils import broadcast_all, standard_normal

__all__ = ["StudentT"]


class StudentT(Family):
    """z / √(c / df) for z standard normal and c chi-squared with `df` degrees of freedom.

    The result is scaled and shifted.

    Parameters
    ----------
    df : number or Tensor
        The degrees of freedom.
    loc : number or Tensor, default 0.0
    scale : number or Tensor, default 1.0
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.StudentT(torch.tensor([1.5, 4.0])).variance
    tensor([inf, 2.])
    """

    arg_constraints = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True
    _tensors = ("df", "loc", "scale")
    _parts = ("_chi2",)

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        Distribution.__init__(self, self.df.size(), validate_args=validate_args)

    @property
    def mean(self):
        """The mean, `loc`; nan for df <= 1."""
        mean = self.loc.clone(memory_format=contiguous_format)
        mean[self.df <= 1] = math.nan
        return mean

    @property
    def mode(self):
        """The mode, `loc`."""
        return self.loc

    @property
    def variance(self):
        """The variance, scale² df / (df - 2); inf for 1 < df <= 2, nan for df <= 1."""
        variance = self.df.clone(memory_format=contiguous_format)
        many = self.df > 2
        variance[many] = self.scale[many].pow(2) * self.df[many] / (self.df[many] - 2)
        variance[~many & (self.df > 1)] = math.inf
        variance[self.df <= 1] = math.nan
        return variance

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        shape = self._extended_shape(sample_shape)
        x = standard_normal(shape, self.df.dtype)
        squares = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * (squares / self.df).rsqrt())

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return Distribution.sample(self, sample_shape)

    def _log_density(self, value):
        half, more = 0.5 * self.df, 0.5 * (self.df + 1.0)
        y = (value - self.loc) / self.scale
        normalizer = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + half.lgamma()
            - more.lgamma()
        )
        return -more * (y**2.0 / self.df).log1p() - normalizer

    def entropy(self):
        """Return the entropy in nats."""
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = half.lgamma() + math.lgamma(0.5) - more.lgamma()
        spread = more * (more.digamma() - half.digamma())
        return self.scale.log() + spread + 0.5 * self.df.log() + log_beta
