"""Mixtures of distributions of one class."""

from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.categorical import Categorical
from minitorch.distributions.constraints import MixtureSameFamilyConstraint
from minitorch.distributions.distribution import Distribution

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture: a component is chosen at random and a value is drawn from it.

    Parameters
    ----------
    mixture_distribution : Categorical
        The distribution of the component index.
    component_distribution : Distribution
        The components. The last batch dimension indexes them.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> D = torch.distributions
    >>> normals = D.Normal(torch.tensor([-1.0, 1.0]), torch.ones(2))
    >>> D.MixtureSameFamily(D.Categorical(torch.ones(2)), normals).mean
    tensor(0.)
    """

    arg_constraints: dict = {}
    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of torch.distributions.Distribution"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        chosen, *_ = (mixture_distribution.batch_shape,)
        shape, count = (
            component_distribution.batch_shape[:-1],
            component_distribution.batch_shape[-1],
        )
        for a, b in zip(reversed(chosen), reversed(shape), strict=False):
            if a != b and 1 not in (a, b):
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({chosen}) is not compatible with "
                    f"`component_distribution.batch_shape`({shape})"
                )
        self._num_component = mixture_distribution.logits.shape[-1]
        if self._num_component != count:
            raise ValueError(
                f"`mixture_distribution component` ({self._num_component}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({count})"
            )
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded."""
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        batch_shape = Size(batch_shape)
        components = self._component_distribution.expand(batch_shape + (self._num_component,))
        new._component_distribution = components
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component = self._num_component
        new._event_ndims = self._event_ndims
        Distribution.__init__(new, batch_shape, components.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @constraints.dependent_property
    def support(self):
        """Return the intersection of the supports of all components."""
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self):
        """The distribution of the component index."""
        return self._mixture_distribution

    @property
    def component_distribution(self):
        """The components."""
        return self._component_distribution

    def _average(self, of_components):
        """Return the average over the components."""
        probs = self._mixture_distribution.probs
        own, chosen = len(self.batch_shape), len(self._mixture_distribution.batch_shape)
        missing = 0 if chosen == 1 else own - chosen
        probs = probs.reshape(
            *probs.shape[:-1], *(1,) * missing, probs.shape[-1], *(1,) * self._event_ndims
        )
        return (probs * of_components).sum(-1 - self._event_ndims)

    @property
    def mean(self):
        """The mean."""
        return self._average(self._component_distribution.mean)

    @property
    def variance(self):
        """The variance: the mean of the variances plus the variance of the means."""
        away = self._component_distribution.mean - self._beside_components(self.mean)
        return self._average(self._component_distribution.variance) + self._average(away.pow(2.0))

    def _beside_components(self, value):
        return value.unsqueeze(-1 - self._event_ndims)

    def cdf(self, x):
        """Return the cumulative distribution function at the given value."""
        of_components = self._component_distribution.cdf(self._beside_components(x))
        return (of_components * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, x):
        """Return the logarithm of the probability density or mass at the given value."""
        if self._validate_args:
            self._validate_sample(x)
        of_components = self._component_distribution.log_prob(self._beside_components(x))
        weights = self._mixture_distribution.logits.log_softmax(dim=-1)
        return (of_components + weights).logsumexp(dim=-1)

    @no_grad()
    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        dim = len(sample_shape) + len(self.batch_shape)
        chosen = self._mixture_distribution.sample(sample_shape)
        # draw from every component, then select one
        values = self._component_distribution.sample(sample_shape)
        index = chosen.reshape(*chosen.shape, *(1,) * (self._event_ndims + 1))
        index = index.repeat(*(1,) * (chosen.dim() + 1), *self.event_shape)
        return values.gather(dim, index).squeeze(dim)

    def __repr__(self):
        return (
            f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
        )
