"""The half-normal distribution."""

import math

from minitorch.distributions._half import Half
from minitorch.distributions.normal import Normal

__all__ = ["HalfNormal"]


class HalfNormal(Half):
    """The absolute value of a normal variable with mean 0.

    Parameters
    ----------
    scale : number or Tensor
        The standard deviation of the normal variable.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.HalfNormal(1.0).mean
    tensor(0.7979)
    """

    def __init__(self, scale, validate_args=None):
        self._fold(Normal(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        """The mean, √(2/π) scale."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        """The variance, (1 - 2/π) scale²."""
        return self.scale.pow(2) * (1 - 2 / math.pi)
