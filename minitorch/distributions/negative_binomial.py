"""The negative binomial distribution."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.gamma import Gamma
from minitorch.distributions.utils import lazy_property
from minitorch.nn.functional import logsigmoid

__all__ = ["NegativeBinomial"]


class NegativeBinomial(Odds):
    """The number of successes before `total_count` failures.

    Parameters
    ----------
    total_count : number or Tensor
        Nonnegative; not necessarily an integer.
    probs : number or Tensor, optional
        The probability of success, below 1.
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.NegativeBinomial(5, 0.5).mean
    tensor(5.)
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self._set_counted_odds(total_count, probs, logits, validate_args)

    @property
    def mean(self):
        """The mean, n p / (1 - p)."""
        return self.total_count * self.logits.exp()

    @property
    def mode(self):
        """The most likely value."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        """The variance, mean / (1 - p)."""
        return self.mean / (-self.logits).sigmoid()

    @lazy_property
    def _gamma(self):
        # a Poisson variable with a rate drawn from this distribution is negative binomial
        return Gamma(self.total_count, (-self.logits).exp(), validate_args=False)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        with no_grad():
            return _ops.poisson(self._gamma.sample(sample_shape=sample_shape))

    def _log_density(self, value):
        n, logits = self.total_count, self.logits
        unscaled = n * logsigmoid(-logits) + value * logsigmoid(logits)
        normalizer = -(n + value).lgamma() + (1.0 + value).lgamma() + n.lgamma()
        # avoids inf - inf where n and value are both 0
        return unscaled - normalizer.masked_fill(n + value == 0.0, 0.0)
