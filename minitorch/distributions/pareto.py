"""The Pareto distribution."""

from minitorch.distributions import constraints
from minitorch.distributions.exponential import Exponential
from minitorch.distributions.transformed_distribution import TransformedDistribution
from minitorch.distributions.transforms import AffineTransform, ExpTransform
from minitorch.distributions.utils import broadcast_all

__all__ = ["Pareto"]


class Pareto(TransformedDistribution):
    """Numbers x >= `scale` with density proportional to x^-(alpha + 1).

    Parameters
    ----------
    scale : number or Tensor
    alpha : number or Tensor
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.Pareto(1.0, 3.0).mean
    tensor(1.5000)
    """

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}
    _tensors = ("scale", "alpha")

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        """Return the numbers that are at least `scale`."""
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        """The mean, alpha scale / (alpha - 1), or inf."""
        alpha = self.alpha.clamp(min=1)
        return alpha * self.scale / (alpha - 1)

    @property
    def mode(self):
        """The mode, scale."""
        return self.scale

    @property
    def variance(self):
        """The variance; inf for alpha <= 2."""
        alpha = self.alpha.clamp(min=2)
        return self.scale.pow(2) * alpha / ((alpha - 1).pow(2) * (alpha - 2))

    def entropy(self):
        """Return the entropy in nats."""
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())
