"""The categorical distribution."""

from math import nan

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import full
from minitorch.composed.broadcasting import broadcast_tensors
from minitorch.core.dtype import _dtypes
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds, exactly_one
from minitorch.distributions.bernoulli import enumerate_numbers
from minitorch.distributions.distribution import Distribution
from minitorch.distributions.utils import lazy_property, logits_to_probs, probs_to_logits
from minitorch.tensors.type_info import finfo

__all__ = ["Categorical"]


class Categorical(Odds):
    """One of the categories 0, ..., K - 1.

    Parameters
    ----------
    probs : Tensor, optional
        Nonnegative weights of shape (..., K), normalized to sum to 1.
    logits : Tensor, optional
        Unnormalized log probabilities, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> d = torch.distributions.Categorical(torch.tensor([1.0, 1.0, 2.0]))
    >>> d.probs
    tensor([0.2500, 0.2500, 0.5000])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _kept = ("_given", "_num_events")

    def __init__(self, probs=None, logits=None, validate_args=None):
        name, given = exactly_one(probs, logits)
        self._given = name
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if name == "probs":
            self.probs = given / given.sum(-1, keepdim=True)
        else:
            self.logits = given - given.logsumexp(dim=-1, keepdim=True)
        self._num_events = given.size()[-1]
        Distribution.__init__(self, given.size()[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        """Return the integers 0 to K - 1."""
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def logits(self):
        """Return the logarithms of the probabilities."""
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self):
        """Return the probabilities."""
        return logits_to_probs(self.logits)

    @property
    def mean(self):
        """nan, since categories have no mean."""
        return full(self._extended_shape(), nan, dtype=self.probs.dtype)

    @property
    def mode(self):
        """The most likely category."""
        return self.probs.argmax(dim=-1)

    @property
    def variance(self):
        """nan, since categories have no variance."""
        return full(self._extended_shape(), nan, dtype=self.probs.dtype)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw categories without recording a history."""
        sample_shape = Size(sample_shape)
        probs = self.probs.reshape(-1, self._num_events)
        drawn = _ops.multinomial(probs, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def _log_density(self, value):
        value, logits = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        """Return the entropy in nats."""
        # 0 log 0 is 0
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        """Return 0 to K - 1 along a new first dimension."""
        return enumerate_numbers(self._num_events, _dtypes()["int64"], self._batch_shape, expand)
