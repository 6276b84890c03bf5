"""The Bernoulli distribution."""

from math import nan

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import broadcast_all
from minitorch.nn.functional import binary_cross_entropy_with_logits

__all__ = ["Bernoulli"]


class Bernoulli(Odds, ExponentialFamily):
    """The distribution of 0 and 1, with 1 at probability `probs`.

    Parameters
    ----------
    probs : number or Tensor, optional
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Bernoulli(0.25).log_prob(torch.tensor(1.0)).exp()
    tensor(0.2500)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._set_odds(probs, logits, validate_args)

    @property
    def mean(self):
        """The probability of 1."""
        return self.probs

    @property
    def mode(self):
        """The more likely of 0 and 1; nan when they are equally likely."""
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = nan
        return mode

    @property
    def variance(self):
        """The variance, p (1 - p)."""
        return self.probs * (1 - self.probs)

    def _draw(self, shape):
        return _ops.bernoulli(self.probs.expand(shape))

    def _log_density(self, value):
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        """Return the entropy in nats."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        """Return 0 and 1 along a new first dimension."""
        return enumerate_numbers(2, self._param.dtype, self._batch_shape, expand)

    @property
    def _natural_params(self):
        return (self.probs.logit(),)

    def _log_normalizer(self, x):
        return x.exp().log1p()


def enumerate_numbers(count, dtype, batch_shape, expand):
    """Return 0, 1, ..., count - 1 along a new first dimension."""
    values = arange(count, dtype=dtype).view((-1,) + (1,) * len(batch_shape))
    return values.expand((-1,) + tuple(batch_shape)) if expand else values
