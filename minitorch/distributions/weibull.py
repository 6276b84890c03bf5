"""The Weibull distribution."""

from minitorch.autograd.functions.creation import ones_like
from minitorch.distributions import constraints
from minitorch.distributions.exponential import Exponential
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import AffineTransform, PowerTransform
from minitorch.distributions.utils import broadcast_all, euler_constant

__all__ = ["Weibull"]


class Weibull(TransformedDistribution):
    """Positive numbers with the survival function exp(-(x / scale)^k).

    Parameters
    ----------
    scale : number or Tensor
    concentration : number or Tensor
        k.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Weibull(1.0, torch.tensor([1.0, 2.0])).mean
    tensor([1.0000, 0.8862])
    """

    arg_constraints = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support = constraints.positive
    _tensors = ("scale", "concentration", "concentration_reciprocal")

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(ones_like(self.scale), validate_args=validate_args)
        transforms = [
            PowerTransform(exponent=self.concentration_reciprocal),
            AffineTransform(loc=0, scale=self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, n):
        """Return the mean of (x / scale)^n."""
        return (1 + n * self.concentration_reciprocal).lgamma()

    @property
    def mean(self):
        """The mean, scale Γ(1 + 1/k)."""
        return self.scale * self._moment(1).exp()

    @property
    def mode(self):
        """The mode, scale ((k - 1) / k)^(1/k)."""
        k = self.concentration
        return self.scale * ((k - 1) / k) ** k.reciprocal()

    @property
    def variance(self):
        """The variance, scale² (Γ(1 + 2/k) - Γ(1 + 1/k)²)."""
        return self.scale.pow(2) * (self._moment(2).exp() - (2 * self._moment(1)).exp())

    def entropy(self):
        """Return the entropy in nats."""
        reciprocal = self.concentration_reciprocal
        return euler_constant * (1 - reciprocal) + (self.scale * reciprocal).log() + 1
