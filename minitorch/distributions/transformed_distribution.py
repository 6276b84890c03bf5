"""Distributions of the images of random values."""

from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.independent import Independent
from minitorch.distributions.transforms import ComposeTransform, Transform
from minitorch.distributions.utils import sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Family):
    """The distribution of t(x), where x is drawn from another one.

    Parameters
    ----------
    base_distribution : Distribution
        Of x.
    transforms : Transform or list of Transform
        Applied one after the other.
    validate_args : bool, optional

    Notes
    -----
    ``log p(y) = log p(x) - log |det dy/dx|``.

    Examples
    --------
    >>> import minitorch as torch
    >>> D = torch.distributions
    >>> d = D.TransformedDistribution(D.Normal(0.0, 1.0), [D.AffineTransform(1.0, 2.0)])
    >>> torch.allclose(d.log_prob(torch.tensor(3.0)), D.Normal(1.0, 2.0).log_prob(torch.tensor(3.0)))
    True
    """

    arg_constraints: dict = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = _as_list(transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_dims = len(base_distribution.event_shape)
        whole = ComposeTransform(self.transforms)
        domain_dims, codomain_dims = whole.domain.event_dim, whole.codomain.event_dim
        if len(base_shape) < domain_dims:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {domain_dims}, but got "
                f"{base_shape}."
            )
        # the parameters of the transforms may have more batch dimensions
        shape = whole.forward_shape(base_shape)
        needed = whole.inverse_shape(shape)
        if base_shape != needed:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_dims])
        if domain_dims > base_dims:
            base_distribution = Independent(base_distribution, domain_dims - base_dims)
        self.base_dist = base_distribution
        event_dims = max(codomain_dims, base_dims + codomain_dims - domain_dims)
        if len(shape) < event_dims:
            raise AssertionError(
                f"forward_shape length {len(shape)} must be >= event_dim {event_dims}"
            )
        cut = len(shape) - event_dims
        Distribution.__init__(self, shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded."""
        new = super().expand(batch_shape, _instance)
        shape = new.batch_shape + self.event_shape
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        cut = len(shape) - len(self.base_dist.event_shape)
        new.base_dist = self.base_dist.expand(shape[:cut])
        new.transforms = self.transforms
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        """Return the codomain of the last transform, with all event dimensions."""
        if not self.transforms:
            return self.base_dist.support
        images = self.transforms[-1].codomain
        more = len(self.event_shape) - images.event_dim
        return constraints.independent(images, more) if more > 0 else images

    @property
    def has_rsample(self):
        """True if the base distribution implements `rsample`."""
        return self.base_dist.has_rsample

    def _forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        with no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        return self._forward(self.base_dist.rsample(sample_shape))

    def _log_density(self, value):
        dims, result, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            dims += transform.domain.event_dim - transform.codomain.event_dim
            jacobian = transform.log_abs_det_jacobian(x, y)
            result = result - sum_rightmost(jacobian, dims - transform.domain.event_dim)
            y = x
        of_base = self.base_dist.log_prob(y)
        return result + sum_rightmost(of_base, dims - len(self.base_dist.event_shape))

    def _turned(self, value):
        """Return p where the transforms are increasing, 1 - p where they are decreasing."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value):
        """Return the distribution function at `value`, for elementwise transforms."""
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value):
        """Return the quantiles for the given probabilities: the inverse of `cdf`."""
        return self._forward(self.base_dist.icdf(self._turned(value)))


def _as_list(transforms):
    if isinstance(transforms, Transform):
        return [transforms]
    if not isinstance(transforms, list):
        raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
    if not all(isinstance(t, Transform) for t in transforms):
        raise ValueError("transforms must be a Transform or a list of Transforms")
    return transforms
