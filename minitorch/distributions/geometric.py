"""The geometric distribution."""

from minitorch.autograd.functions.creation import empty_, zeros_like
from minitorch.core.types import contiguous_format
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.utils import broadcast_all
from minitorch.nn.functional import binary_cross_entropy_with_logits
from minitorch.tensors.type_info import finfo

__all__ = ["Geometric"]


class Geometric(Odds):
    """The number of failures before the first success.

    Parameters
    ----------
    probs : number or Tensor, optional
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Geometric(0.25).mean
    tensor(3.)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._set_odds(probs, logits, validate_args)
        if not self._validate_args or probs is None:
            return
        possible = self.probs > 0
        if not possible.all():
            raise ValueError(
                f"Expected parameter probs ({type(self.probs).__name__} of shape "
                f"{tuple(self.probs.shape)}) of distribution {self!r} to be positive but found invalid "
                f"values:\n{self.probs.data[~possible]}"
            )

    @property
    def mean(self):
        """The mean, 1 / p - 1."""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        """The mode, 0."""
        return zeros_like(self.probs)

    @property
    def variance(self):
        """The variance, (1 / p - 1) / p."""
        return (1.0 / self.probs - 1.0) / self.probs

    def _draw(self, shape):
        dtype = self.probs.dtype
        u = empty_(shape, dtype=dtype).uniform_(finfo(dtype).tiny, 1)
        return (u.log() / (-self.probs).log1p()).floor()

    def _log_density(self, value):
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone(memory_format=contiguous_format)
        # 0 log 0 is 0
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        """Return the entropy in nats."""
        of_one = binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
        return of_one / self.probs
