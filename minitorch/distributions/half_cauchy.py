"""The half-Cauchy distribution."""

import math

from minitorch.autograd.functions.creation import full
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.distributions._half import Half
from minitorch.distributions.cauchy import Cauchy

__all__ = ["HalfCauchy"]


class HalfCauchy(Half):
    """The absolute value of a Cauchy variable with median 0.

    Parameters
    ----------
    scale : number or Tensor
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.HalfCauchy(1.0).cdf(torch.tensor(1.0))
    tensor(0.5000)
    """

    def __init__(self, scale, validate_args=None):
        self._fold(Cauchy(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        """The mean, inf."""
        return full(self._extended_shape(), math.inf, dtype=self.scale.dtype)

    @property
    def variance(self):
        """The variance, inf."""
        return self.base_dist.variance

    def _log_density(self, value):
        return super()._log_density(as_tensor(value, dtype=self.scale.dtype))
