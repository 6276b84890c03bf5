"""The categorical distribution over one-hot vectors."""

from minitorch.autograd.functions.creation import eye
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.categorical import Categorical
from minitorch.distributions.distribution import Distribution, Family
from minitorch.nn.functional import one_hot

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


class OfCategorical(Family):
    """The base class of families that wrap a `Categorical`."""

    _parts = ("_categorical",)

    def _set_categorical(self, probs, logits, validate_args):
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.batch_shape
        Distribution.__init__(
            self, shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @property
    def _param(self):
        return self._categorical._param

    @property
    def probs(self):
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self):
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self):
        """The shape of the parameter."""
        return self._categorical.param_shape


class OneHotCategorical(OfCategorical):
    """One of the K one-hot vectors.

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
    >>> torch.distributions.OneHotCategorical(torch.tensor([0.25, 0.75])).enumerate_support()
    tensor([[1., 0.],
            [0., 1.]])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._set_categorical(probs, logits, validate_args)

    @property
    def mean(self):
        """The mean, which equals `probs`."""
        return self.probs

    @property
    def mode(self):
        """The most likely one-hot vector."""
        return one_hot(self.probs.argmax(dim=-1), num_classes=self.probs.shape[-1]).to(self.probs)

    @property
    def variance(self):
        """The variance, p (1 - p)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw one-hot vectors without recording a history."""
        drawn = self._categorical.sample(Size(sample_shape))
        return one_hot(drawn, self._categorical._num_events).to(self.probs)

    def _log_density(self, value):
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        """Return the entropy in nats."""
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        """Return all one-hot vectors along a new first dimension."""
        n, batch = self.event_shape[0], tuple(self.batch_shape)
        values = eye(n, dtype=self._param.dtype).view((n,) + (1,) * len(batch) + (n,))
        return values.expand((n,) + batch + (n,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A one-hot vector whose gradient is taken to be the gradient of `probs` [1].

    Parameters
    ----------
    probs : Tensor, optional
        Probabilities of the shape ``(*, n)``, which are divided by their sum.
    logits : Tensor, optional
        Their logarithms, up to a constant. Give one of the two.
    validate_args : bool, optional
        Whether to check parameters and values.

    References
    ----------
    .. [1] Bengio et al., Estimating or propagating gradients through stochastic neurons for conditional
       computation, 2013.

    Examples
    --------
    >>> import minitorch as torch
    >>> p = torch.tensor([0.2, 0.8], requires_grad=True)
    >>> sample = torch.distributions.OneHotCategoricalStraightThrough(p).rsample()
    >>> sample.sum().item(), sample.requires_grad
    (1.0, True)
    """

    has_rsample = True

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw one-hot vectors whose gradient flows to `probs`."""
        drawn = self.sample(sample_shape)
        return drawn + (self.probs - self.probs.detach())
