"""The binomial distribution."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.bernoulli import enumerate_numbers

__all__ = ["Binomial"]


def _positive_part(x):
    """Return max(x, 0), with the gradient 1/2 at 0."""
    return (x.clamp(min=0) + x - x.clamp(max=0)) / 2


class Binomial(Odds):
    """The number of successes in `total_count` trials.

    Parameters
    ----------
    total_count : int or Tensor, default 1
    probs : number or Tensor, optional
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> d = torch.distributions.Binomial(2, torch.tensor([0.5]))
    >>> d.log_prob(d.enumerate_support()).exp().flatten()
    tensor([0.2500, 0.5000, 0.2500])
    """

    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self._set_counted_odds(total_count, probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        """Return the integers 0 to `total_count`."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        """The mean, n p."""
        return self.total_count * self.probs

    @property
    def mode(self):
        """The mode, the integer part of (n + 1) p."""
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self):
        """The variance, n p (1 - p)."""
        return self.total_count * self.probs * (1 - self.probs)

    def _draw(self, shape):
        return _ops.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def _log_density(self, value):
        n, logits = self.total_count, self.logits
        # n log(1 + exp(logits)), in a form that does not overflow
        normalizer = n * _positive_part(logits) + n * (-logits.abs()).exp().log1p()
        ways = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        return value * logits - normalizer + ways

    def _one_count(self, method):
        count = int(self.total_count.max())
        if self.total_count.min() != count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{method}`.")
        return count

    def entropy(self):
        """Return the entropy in nats; all elements of `total_count` must be equal."""
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        """Return 0 to `total_count`; all elements of `total_count` must be equal."""
        count = self._one_count("enumerate_support")
        return enumerate_numbers(1 + count, self._param.dtype, self._batch_shape, expand)
