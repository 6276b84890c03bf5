"""The Dirichlet distribution."""

from minitorch.autograd.function import Function, once_differentiable
from minitorch.distributions import constraints
from minitorch.distributions._dirichlet_numbers import dirichlet_grad, sample_dirichlet
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.nn.functional import one_hot

__all__ = ["Dirichlet"]


def _Dirichlet_backward(x, concentration, grad_output):
    """Return the gradient with respect to the concentration, given the gradient of a sample."""
    total = concentration.sum(-1, True).expand_as(concentration)
    gradient = dirichlet_grad(x, concentration, total)
    return gradient * (grad_output - (x * grad_output).sum(-1, True))


class _Dirichlet(Function):
    """A Dirichlet sample whose backward pass uses implicit differentiation [1].

    References
    ----------
    .. [1] Figurnov, Mohamed and Mnih, Implicit reparameterization gradients, 2018.
    """

    @staticmethod
    def forward(ctx, concentration):
        x = sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        x, concentration = ctx.saved_tensors
        return _Dirichlet_backward(x, concentration, grad_output)


class Dirichlet(Family, ExponentialFamily):
    """Vectors that sum to 1, with density proportional to the product of the x_i^(a_i - 1).

    Parameters
    ----------
    concentration : Tensor
        a, of shape (..., K).
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Dirichlet(torch.tensor([1.0, 3.0])).mean
    tensor([0.2500, 0.7500])
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _tensors = ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        Distribution.__init__(self, shape[:-1], shape[-1:], validate_args=validate_args)

    def _draw(self, shape):
        return _Dirichlet.apply(self.concentration.expand(shape))

    def _log_density(self, value):
        a = self.concentration
        return (a - 1.0).xlogy(value).sum(-1) + a.sum(-1).lgamma() - a.lgamma().sum(-1)

    @property
    def mean(self):
        """The mean, a divided by its sum."""
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self):
        """The mode, (a - 1) divided by its sum; a corner of the simplex if all a are below 1."""
        weights = (self.concentration - 1).clamp(min=0.0)
        mode = weights / weights.sum(-1, True)
        corner = (self.concentration < 1).all(dim=-1)
        mode[corner] = one_hot(mode[corner].argmax(dim=-1), weights.shape[-1]).to(mode)
        return mode

    @property
    def variance(self):
        """The variance, a (s - a) / (s² (s + 1)), where s is the sum of a."""
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def entropy(self):
        """Return the entropy in nats."""
        a = self.concentration
        total = a.sum(-1)
        return (
            a.lgamma().sum(-1)
            - total.lgamma()
            - (a.size(-1) - total) * total.digamma()
            - ((a - 1.0) * a.digamma()).sum(-1)
        )

    @property
    def _natural_params(self):
        return (self.concentration,)

    def _log_normalizer(self, x):
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()
