"""The multinomial distribution."""

from math import inf

from minitorch.autograd.functions.creation import ones_like
from minitorch.autograd.functions.from_data import tensor
from minitorch.core.types import Size, contiguous_format
from minitorch.distributions import constraints
from minitorch.distributions.binomial import Binomial
from minitorch.distributions.one_hot_categorical import OfCategorical
from minitorch.distributions.utils import broadcast_all

__all__ = ["Multinomial"]


class Multinomial(OfCategorical):
    """The counts of K categories in `total_count` draws.

    Parameters
    ----------
    total_count : int, default 1
    probs : Tensor, optional
        Nonnegative weights of shape (..., K), normalized to sum to 1.
    logits : Tensor, optional
        Unnormalized log probabilities, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Multinomial(4, torch.tensor([1.0, 3.0])).mean
    tensor([1., 3.])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _kept = ("total_count",)

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._set_categorical(probs, logits, validate_args)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        """Return the vectors of nonnegative counts whose sum is at most `total_count`."""
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        """The mean, n p."""
        return self.probs * self.total_count

    @property
    def variance(self):
        """The variance, n p (1 - p)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw counts without recording a history."""
        sample_shape = Size(sample_shape)
        drawn = self._categorical.sample(Size((self.total_count,)) + sample_shape)
        drawn = drawn.movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        counts.scatter_add_(-1, drawn, ones_like(drawn))
        return counts.type_as(self.probs)

    def entropy(self):
        """Return the entropy in nats."""
        n = tensor(self.total_count)
        counts = self._binomial.enumerate_support(expand=False)[1:]
        chances = self._binomial.log_prob(counts).exp()
        ways = (chances * (counts + 1).lgamma()).sum([0, -1])
        return n * self._categorical.entropy() - (n + 1).lgamma() + ways

    def _log_density(self, value):
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone(memory_format=contiguous_format)
        ways = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        # 0 log 0 is 0
        logits[(value == 0) & (logits == -inf)] = 0
        return ways + (logits * value).sum(-1)
