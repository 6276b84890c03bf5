"""The relaxed categorical distribution."""

from minitorch.autograd.functions.creation import full_like
from minitorch.autograd.functions.random import rand
from minitorch.distributions import constraints
from minitorch.distributions.one_hot_categorical import OfCategorical
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import ExpTransform
from minitorch.distributions.utils import broadcast_all, clamp_probs

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(OfCategorical):
    """The logarithm of a `RelaxedOneHotCategorical` variable.

    Parameters
    ----------
    temperature : Tensor
    probs : Tensor, optional
        (..., K), not negative; scaled to sum to 1.
    logits : Tensor, optional
        The logarithms of the probabilities up to a constant, in place of `probs`.
    validate_args : bool, optional

    References
    ----------
    .. [1] Maddison, Mnih and Teh, The concrete distribution: a continuous relaxation of discrete random
       variables, 2017.
    .. [2] Jang, Gu and Poole, Categorical reparametrization with Gumbel-softmax, 2017.
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    # the true support is the set of vectors whose exponentials sum to 1
    support = constraints.real_vector
    has_rsample = True
    _kept = ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._set_categorical(probs, logits, validate_args)

    def _draw(self, shape):
        u = clamp_probs(rand(shape, dtype=self.logits.dtype))
        gumbel = -(-u.log()).log()
        scores = (self.logits + gumbel) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def _log_density(self, value):
        count, temperature = self._categorical._num_events, self.temperature
        logits, value = broadcast_all(self.logits, value)
        normalizer = full_like(temperature, float(count)).lgamma() - temperature.log().mul(
            -(count - 1)
        )
        score = logits - value.mul(temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + normalizer


class RelaxedOneHotCategorical(TransformedDistribution):
    """A differentiable relaxation of `OneHotCategorical`: vectors that sum to 1.

    The lower the temperature, the closer they are to one-hot vectors.

    Parameters
    ----------
    temperature : Tensor
    probs : Tensor, optional
        (..., K), not negative; scaled to sum to 1.
    logits : Tensor, optional
        The logarithms of the probabilities up to a constant, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.RelaxedOneHotCategorical(torch.tensor(0.5), torch.ones(3)).event_shape
    torch.Size([3])
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def temperature(self):
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self):
        """The logarithms of the probabilities."""
        return self.base_dist.logits

    @property
    def probs(self):
        """The probabilities."""
        return self.base_dist.probs
