"""The Laplace distribution."""

from minitorch.autograd.functions.creation import empty_
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Family
from minitorch.tensors.type_info import finfo

__all__ = ["Laplace"]


class Laplace(Family):
    """Numbers with density proportional to exp(-|x - m| / s).

    Parameters
    ----------
    loc : number or Tensor
        m.
    scale : number or Tensor
        s.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Laplace(0.0, 1.0).cdf(torch.tensor([-1.0, 0.0]))
    tensor([0.1839, 0.5000])
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _tensors = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self._set(validate_args, loc=loc, scale=scale)

    @property
    def mean(self):
        """The mean, m."""
        return self.loc

    @property
    def mode(self):
        """The mode, m."""
        return self.loc

    @property
    def variance(self):
        """The variance, 2 s²."""
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        """The standard deviation, √2 s."""
        return (2**0.5) * self.scale

    def _draw(self, shape):
        dtype = self.loc.dtype
        # exclude -1, which would map to infinity
        u = empty_(shape, dtype=dtype).uniform_(finfo(dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def _log_density(self, value):
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def _cumulative(self, value):
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * (-away.abs() / self.scale).expm1()

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self):
        """Return the entropy, 1 + log 2s."""
        return 1 + (2 * self.scale).log()
