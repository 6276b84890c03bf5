"""The von Mises distribution."""

import math

from minitorch.autograd.functions.creation import empty_, zeros
from minitorch.autograd.functions.random import rand
from minitorch.autograd.grad_mode import no_grad
from minitorch.composed.comparisons import where
from minitorch.core.dtype import _dtypes
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.utils import broadcast_all, lazy_property

__all__ = ["VonMises"]

# Coefficients for the Bessel functions I0(x) and I1(x) / x: polynomials in (x / 3.75)² for small
# x, and polynomials in 3.75 / x that give √x exp(-x) times the function for large x. Source:
# Abramowitz and Stegun, Handbook of mathematical functions, 9.8.1 to 9.8.4.
_SMALL = (
    (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2),
    (0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3),
)
_LARGE = (
    (
        0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2, -0.2057706e-1, 0.2635537e-1,
        -0.1647633e-1, 0.392377e-2,
    ),
    (
        0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1, 0.2282967e-1,
        -0.2895312e-1, 0.1787654e-1, -0.420059e-2,
    ),
)  # fmt: skip


def _polynomial(x, coefficients):
    *rest, result = coefficients
    for coefficient in reversed(rest):
        result = coefficient + x * result
    return result


def _log_modified_bessel_fn(x, order=0):
    """Return the log of the modified Bessel function of the first kind of order 0 or 1, for positive numbers."""
    ratio = x / 3.75
    small = _polynomial(ratio * ratio, _SMALL[order])
    small = (x.abs() * small if order == 1 else small).log()
    large = x - 0.5 * x.log() + _polynomial(3.75 / x, _LARGE[order]).log()
    return where(x < 3.75, small, large)


def _rejection_sample(loc, concentration, proposal_r, x):
    """Return random angles between -π and π in the shape and dtype of `x`."""
    done = zeros(x.shape, dtype=_dtypes()["bool"])
    while not done.all():
        u1, u2, u3 = rand((3, *x.shape), dtype=x.dtype).unbind()
        z = (math.pi * u1).cos()
        f = (1 + proposal_r * z) / (proposal_r + z)
        c = concentration * (proposal_r - f)
        accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
        # elements accepted earlier may be replaced by a new draw
        x = where(accept, (u3 - 0.5).sign() * f.acos(), x)
        done = done | accept
    return (x + math.pi + loc) % (2 * math.pi) - math.pi


class VonMises(Family):
    """Angles with density proportional to exp(k cos(x - m)).

    Parameters
    ----------
    loc : number or Tensor
        m, in radians.
    concentration : number or Tensor
        k.
    validate_args : bool, optional

    Notes
    -----
    Samples are drawn by rejection from a wrapped Cauchy distribution [1], in float64.

    References
    ----------
    .. [1] Best and Fisher, Efficient simulation of the von Mises distribution, 1979.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.VonMises(0.0, torch.tensor([0.1, 10.0])).variance
    tensor([0.9501, 0.0514])
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False
    _tensors = ("loc", "concentration")

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        Distribution.__init__(self, self.loc.shape, validate_args=validate_args)

    def _log_density(self, value):
        exponent = self.concentration * (value - self.loc).cos()
        return exponent - math.log(2 * math.pi) - _log_modified_bessel_fn(self.concentration)

    @lazy_property
    def _proposal_r(self):
        """Return the parameter of the wrapped Cauchy proposal distribution."""
        kappa = self.concentration.double()
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        # the exact formula loses all digits near 0
        return where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))

    @no_grad()
    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw angles in [-π, π] without recording a history."""
        shape = self._extended_shape(sample_shape)
        double = _dtypes()["float64"]
        loc, kappa, r = self.loc.double(), self.concentration.double(), self._proposal_r
        x = _rejection_sample(loc, kappa, r, empty_(shape, dtype=double))
        return x.to(self.loc.dtype)

    @property
    def mean(self):
        """The circular mean, m."""
        return self.loc

    @property
    def mode(self):
        """The mode, m."""
        return self.loc

    @lazy_property
    def variance(self):
        """Return the circular variance, 1 - I1(k) / I0(k)."""
        return (
            1
            - (
                _log_modified_bessel_fn(self.concentration, order=1)
                - _log_modified_bessel_fn(self.concentration)
            ).exp()
        )
