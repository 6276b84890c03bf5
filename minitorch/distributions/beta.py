"""The beta distribution."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.from_data import tensor
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.dirichlet import Dirichlet
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import broadcast_all, is_number

__all__ = ["Beta"]


class Beta(Family, ExponentialFamily):
    """Numbers in (0, 1) with density proportional to x^(a - 1) (1 - x)^(b - 1).

    Parameters
    ----------
    concentration1 : number or Tensor
        a.
    concentration0 : number or Tensor
        b.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Beta(2.0, 2.0).mean
    tensor(0.5000)
    """

    arg_constraints = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True
    # distribution of (x, 1 - x)
    _parts = ("_dirichlet",)

    def __init__(self, concentration1, concentration0, validate_args=None):
        if is_number(concentration1) and is_number(concentration0):
            both = tensor([float(concentration1), float(concentration0)])
        else:
            both = _ops.stack(list(broadcast_all(concentration1, concentration0)), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        Distribution.__init__(self, self._dirichlet._batch_shape, validate_args=validate_args)

    @property
    def concentration1(self):
        """Return a."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self):
        """Return b."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self):
        """The mean, a / (a + b)."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self):
        """The most likely value."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self):
        """The variance, a b / ((a + b)² (a + b + 1))."""
        a, b = self.concentration1, self.concentration0
        total = a + b
        return a * b / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return Distribution.sample(self, sample_shape)

    def _log_density(self, value):
        return self._dirichlet.log_prob(_ops.stack([value, 1.0 - value], -1))

    def entropy(self):
        """Return the entropy in nats."""
        return self._dirichlet.entropy()

    @property
    def _natural_params(self):
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x, y):
        return x.lgamma() + y.lgamma() - (x + y).lgamma()
