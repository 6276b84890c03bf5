"""Elementwise transforms."""

import math

from minitorch.autograd.functions.creation import full_like
from minitorch.composed.broadcasting import broadcast_shapes
from minitorch.distributions import constraints
from minitorch.distributions._transform import SameByKind, Transform
from minitorch.distributions.utils import broadcast_all, is_number, lazy_property
from minitorch.nn.functional import softplus
from minitorch.tensors.type_info import finfo


class ExpTransform(SameByKind):
    """y = exp(x).

    It works on each element and maps the real numbers to the positive ones.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.ExpTransform().inv(torch.tensor(1.0))
    tensor(0.)
    """

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = +1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        """Return x."""
        return x


class PowerTransform(Transform):
    """y = x ** exponent.

    Parameters
    ----------
    exponent : Tensor or number
    cache_size : {0, 1}, default 0

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.PowerTransform(2.0)(torch.tensor(3.0))
    tensor(9.)
    """

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size=cache_size)
        (self.exponent,) = broadcast_all(exponent)

    def _arguments(self):
        return (self.exponent,)

    @lazy_property
    def sign(self):
        """Return the sign of the exponent."""
        return self.exponent.sign()

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and self.exponent.eq(other.exponent).all().item()

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        """Return log |exponent y / x|."""
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape):
        """Return `shape` broadcast with the shape of the exponent."""
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


def clipped_sigmoid(x):
    """Return the sigmoid of `x`, clamped to the open interval (0, 1)."""
    info = finfo(x.dtype)
    return x.sigmoid().clamp(min=info.tiny, max=1.0 - info.eps)


class SigmoidTransform(SameByKind):
    """y = 1 / (1 + exp(-x)).

    It works on each element and maps the real numbers to the interval (0, 1).

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.SigmoidTransform()(torch.tensor(0.0))
    tensor(0.5000)
    """

    domain = constraints.real
    codomain = constraints.unit_interval
    bijective = True
    sign = +1

    def _call(self, x):
        return clipped_sigmoid(x)

    def _inverse(self, y):
        info = finfo(y.dtype)
        y = y.clamp(min=info.tiny, max=1.0 - info.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        """Return log(y (1 - y)), computed from `x`."""
        return -softplus(-x) - softplus(x)


class SoftplusTransform(SameByKind):
    """y = log(1 + exp(x)), and x itself above 20.

    It works on each element and maps the real numbers to the positive ones.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.SoftplusTransform()(torch.tensor(0.0))
    tensor(0.6931)
    """

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = +1

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        """Return log sigmoid(x)."""
        return -softplus(-x)


class TanhTransform(SameByKind):
    """y = tanh(x).

    It works on each element and maps the real numbers to the interval (-1, 1).

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.TanhTransform()(torch.tensor(0.5))
    tensor(0.4621)
    """

    domain = constraints.real
    codomain = constraints.interval(-1.0, 1.0)
    bijective = True
    sign = +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        """Return log(1 - y²) in a form that avoids cancellation."""
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(SameByKind):
    """y = |x|.

    It works on each element of a tensor of any shape. It is not bijective: the inverse returns its
    argument.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.AbsTransform()(torch.tensor(-2.0))
    tensor(2.)
    """

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    """y = loc + scale x.

    Parameters
    ----------
    loc, scale : Tensor or number
    event_dim : int, default 0
        The number of trailing dimensions that make one event.
    cache_size : {0, 1}, default 0

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.AffineTransform(1.0, 2.0).inv(torch.tensor([1.0, 5.0]))
    tensor([0., 2.])
    """

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.loc = loc
        self.scale = scale
        self._event_dim = event_dim

    def _arguments(self):
        return self.loc, self.scale, self.event_dim

    @property
    def event_dim(self):
        """The number of trailing dimensions that make one event."""
        return self._event_dim

    def _numbers(self):
        dims = self.event_dim
        return constraints.independent(constraints.real, dims) if dims else constraints.real

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """Return the reals, with `event_dim` event dimensions."""
        return self._numbers()

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """Return the reals, with `event_dim` event dimensions."""
        return self._numbers()

    def __eq__(self, other):
        return (
            isinstance(other, AffineTransform)
            and _equal(self.loc, other.loc)
            and _equal(self.scale, other.scale)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def sign(self):
        """The sign of `scale`."""
        if is_number(self.scale):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        """Return log |scale|, summed over the event dimensions."""
        if is_number(self.scale):
            result = full_like(x, math.log(abs(self.scale)))
        else:
            result = self.scale.abs().log()
        shape, dims = x.shape, self.event_dim
        if dims:
            result = result.view(result.size()[:-dims] + (-1,)).sum(-1)
            shape = shape[:-dims]
        return result.expand(shape)

    def forward_shape(self, shape):
        """Return `shape` broadcast with the shapes of the parameters."""
        return broadcast_shapes(
            shape, getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ())
        )

    inverse_shape = forward_shape


def _equal(a, b):
    same = a == b
    return same if is_number(a) and is_number(b) else bool(same.all())
