"""The F-distribution of Fisher and Snedecor."""

from math import nan

from minitorch.core.types import Size, contiguous_format
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.gamma import Gamma
from minitorch.distributions.utils import broadcast_all
from minitorch.tensors.type_info import finfo

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Family):
    """The ratio of two independent chi-squared variables, each divided by its degrees of freedom.

    Parameters
    ----------
    df1, df2 : number or Tensor
        The degrees of freedom.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.FisherSnedecor(2.0, 4.0).mean
    tensor(2.)
    """

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _tensors = ("df1", "df2")
    _parts = ("_gamma1", "_gamma2")

    def __init__(self, df1, df2, validate_args=None):
        first, second = broadcast_all(df1, df2)
        self._gamma1 = Gamma(first * 0.5, first)
        self._gamma2 = Gamma(second * 0.5, second)
        self._set(validate_args, df1=df1, df2=df2)

    @property
    def mean(self):
        """The mean, df2 / (df2 - 2); nan unless df2 > 2."""
        df2 = self.df2.clone(memory_format=contiguous_format)
        df2[df2 <= 2] = nan
        return df2 / (df2 - 2)

    @property
    def mode(self):
        """The mode; nan unless df1 > 2."""
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        mode[self.df1 <= 2] = nan
        return mode

    @property
    def variance(self):
        """The variance; nan unless df2 > 4."""
        df2 = self.df2.clone(memory_format=contiguous_format)
        df2[df2 <= 4] = nan
        below = self.df1 * (df2 - 2).pow(2) * (df2 - 4)
        return 2 * df2.pow(2) * (self.df1 + df2 - 2) / below

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        shape = self._extended_shape(sample_shape)
        above = self._gamma1.rsample(sample_shape).view(shape)
        below = self._gamma2.rsample(sample_shape).view(shape)
        tiny = finfo(below.dtype).tiny
        below.clamp_(min=tiny)
        return (above / below).clamp_(min=tiny)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return Distribution.sample(self, sample_shape)

    def _log_density(self, value):
        half1, half2, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        normalizer = (half1 + half2).lgamma() - half1.lgamma() - half2.lgamma()
        power = half1 * ratio.log() + (half1 - 1) * value.log()
        return normalizer + power - (half1 + half2) * (ratio * value).log1p()
