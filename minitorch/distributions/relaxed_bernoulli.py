"""The relaxed Bernoulli distribution."""

from minitorch.autograd.functions.random import rand
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions._odds import Odds
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import SigmoidTransform
from minitorch.distributions.utils import broadcast_all, clamp_probs

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(Odds):
    """The logit of a `RelaxedBernoulli` variable.

    Parameters
    ----------
    temperature : Tensor
    probs : number or Tensor, optional
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    References
    ----------
    .. [1] Maddison, Mnih and Teh, The concrete distribution: a continuous relaxation of discrete random
       variables, 2017.
    .. [2] Jang, Gu and Poole, Categorical reparametrization with Gumbel-softmax, 2017.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real
    _kept = ("_given", "temperature")

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._set_odds(probs, logits, validate_args)

    def _draw(self, shape):
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(rand(shape, dtype=probs.dtype))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        return self._draw(self._extended_shape(sample_shape))

    def _log_density(self, value):
        logits, value = broadcast_all(self.logits, value)
        away = logits - value.mul(self.temperature)
        return self.temperature.log() + away - 2 * away.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    """A differentiable relaxation of `Bernoulli`: numbers in (0, 1).

    The lower the temperature, the closer they are to 0 or 1.

    Parameters
    ----------
    temperature : Tensor
    probs : number or Tensor, optional
    logits : number or Tensor, optional
        The log-odds, in place of `probs`.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.RelaxedBernoulli(torch.tensor(0.5), torch.tensor([0.1, 0.9]))
    RelaxedBernoulli()
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    @property
    def temperature(self):
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self):
        """The log-odds."""
        return self.base_dist.logits

    @property
    def probs(self):
        """The probabilities."""
        return self.base_dist.probs
