"""The continuous Bernoulli distribution.

Its formulas have a removable singularity at p = 1/2. For p between the limits `lims` they are
replaced by Taylor polynomials.
"""

import math

from minitorch.autograd.functions.creation import ones_like, zeros_like
from minitorch.autograd.functions.random import rand
from minitorch.composed.comparisons import where
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs
from minitorch.nn.functional import binary_cross_entropy_with_logits

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(Odds, ExponentialFamily):
    """Numbers in (0, 1) with density proportional to p^x (1 - p)^(1 - x) [1].

    Parameters
    ----------
    probs : number or Tensor, optional
        p, in (0, 1). It is not the mean.
    logits : number or Tensor, optional
        The log-odds of p, in place of `probs`.
    lims : tuple of float, default (0.499, 0.501)
        The interval around 1/2 in which Taylor polynomials replace the formulas.
    validate_args : bool, optional

    References
    ----------
    .. [1] Loaiza-Ganem and Cunningham, The continuous Bernoulli: fixing a pervasive error in variational
       autoencoders, 2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.ContinuousBernoulli(torch.tensor([0.2, 0.5])).mean
    tensor([0.3880, 0.5000])
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0
    _kept = ("_given", "_lims")

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        self._lims = lims
        self._set_odds(probs, logits, validate_args)

    def _prepared(self, name, value, validate_args):
        if name == "logits":
            return value
        if validate_args is not None and not self.arg_constraints["probs"].check(value).all():
            raise ValueError("The parameter probs has invalid values")
        return clamp_probs(value)

    @lazy_property
    def probs(self):
        """Return p."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    @property
    def _regular(self):
        """A mask: True where p is outside `lims`, so that the exact formulas apply."""
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    @property
    def _cut(self):
        """`probs`, with `lims[0]` where the exact formulas do not apply."""
        return where(self._regular, self.probs, self._lims[0] * ones_like(self.probs))

    def _log_norm(self):
        """Return log of 2 artanh(1 - 2p) / (1 - 2p)."""
        cut = self._cut
        is_low = cut <= 0.5
        # the branch that is not selected must be finite too, or its gradient is nan
        low, high = where(is_low, cut, zeros_like(cut)), where(cut >= 0.5, cut, ones_like(cut))
        distance = where(is_low, (-2.0 * low).log1p(), (2.0 * high - 1.0).log())
        exact = ((-cut).log1p() - cut.log()).abs().log() - distance
        x = (self.probs - 0.5) ** 2
        return where(self._regular, exact, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        """The mean."""
        cut = self._cut
        exact = cut / (2.0 * cut - 1.0) + 1.0 / ((-cut).log1p() - cut.log())
        x = self.probs - 0.5
        return where(self._regular, exact, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x)

    @property
    def variance(self):
        """The variance."""
        cut = self._cut
        exact = cut * (cut - 1.0) / (1.0 - 2.0 * cut) ** 2 + 1.0 / ((-cut).log1p() - cut.log()) ** 2
        x = (self.probs - 0.5) ** 2
        series = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return where(self._regular, exact, series)

    def _draw(self, shape):
        return self.icdf(rand(shape, dtype=self.probs.dtype))

    def _log_density(self, value):
        logits, value = broadcast_all(self.logits, value)
        entropy = binary_cross_entropy_with_logits(logits, value, reduction="none")
        return -entropy + self._log_norm()

    def _cumulative(self, value):
        cut = self._cut
        exact = (cut**value * (1.0 - cut) ** (1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        inside = where(self._regular, exact, value)
        inside = where(value >= 1.0, ones_like(value), inside)
        return where(value <= 0.0, zeros_like(value), inside)

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        cut = self._cut
        low, high = (-cut).log1p(), cut.log()
        exact = ((-cut + value * (2.0 * cut - 1.0)).log1p() - low) / (high - low)
        return where(self._regular, exact, value)

    def entropy(self):
        """Return the entropy in nats."""
        low, high = (-self.probs).log1p(), self.probs.log()
        return self.mean * (low - high) - self._log_norm() - low

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        low, high = (limit - 0.5 for limit in self._lims)
        regular = (x <= low) | (x > high)
        cut = where(regular, x, low * ones_like(x))
        exact = cut.expm1().abs().log() - cut.abs().log()
        return where(regular, exact, 0.5 * x + x**2 / 24.0 - x**4 / 2880.0)
