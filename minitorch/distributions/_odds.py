"""Families parametrized by probabilities or by logits; each is computed from the other."""

from minitorch.core.types import Size
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.utils import (
    broadcast_all,
    is_number,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)


def exactly_one(probs, logits):
    """Return the name and value of the given one of `probs` and `logits`."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    return ("probs", probs) if probs is not None else ("logits", logits)


class Odds(Family):
    """A family of binary events with `probs` or `logits`; `_param` is the one that was given."""

    _tensors = ("total_count", "probs", "logits")
    _kept: tuple = ("_given",)

    def _set_odds(self, probs, logits, validate_args):
        name, given = exactly_one(probs, logits)
        self._given = name
        (value,) = broadcast_all(given)
        setattr(self, name, self._prepared(name, value, validate_args))
        shape = Size() if is_number(given) else value.size()
        Distribution.__init__(self, shape, validate_args=validate_args)

    def _prepared(self, name, value, validate_args):
        return value

    def _set_counted_odds(self, total_count, probs, logits, validate_args):
        """Set `total_count` and the odds, broadcast together and with the same dtype."""
        name, given = exactly_one(probs, logits)
        self._given = name
        total_count, value = broadcast_all(total_count, given)
        setattr(self, name, value)
        self.total_count = total_count.type_as(value)
        Distribution.__init__(self, value.size(), validate_args=validate_args)

    @property
    def _param(self):
        return getattr(self, self._given)

    @lazy_property
    def logits(self):
        """Return the log-odds."""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        """Return the probabilities."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self):
        """The shape of the parameter."""
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)
