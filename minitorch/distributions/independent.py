"""`Independent`: reinterpret batch dimensions as event dimensions."""

from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution
from minitorch.distributions.utils import sum_rightmost

__all__ = ["Independent"]


class Independent(Distribution):
    """A distribution whose last batch dimensions are reinterpreted as event dimensions.

    Parameters
    ----------
    base_distribution : Distribution
    reinterpreted_batch_ndims : int
        The number of reinterpreted dimensions.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> normal = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
    >>> d = torch.distributions.Independent(normal, 1)
    >>> d.batch_shape, d.event_shape
    (torch.Size([]), torch.Size([3]))
    """

    arg_constraints: dict = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        batch_shape = base_distribution.batch_shape
        left = len(batch_shape) - reinterpreted_batch_ndims
        if left < 0:
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch_shape)}"
            )
        shape = batch_shape + base_distribution.event_shape
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:left], shape[left:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded."""
        new = self._get_checked_instance(Independent, _instance)
        batch_shape, taken = Size(batch_shape), self.reinterpreted_batch_ndims
        new.base_dist = self.base_dist.expand(batch_shape + self.event_shape[:taken])
        new.reinterpreted_batch_ndims = taken
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def has_rsample(self):
        """True if the base distribution implements `rsample`."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self):
        """True if the base distribution can be enumerated and no dimension is reinterpreted."""
        return self.reinterpreted_batch_ndims <= 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self):
        """Return the support of the base distribution, with the reinterpreted event dimensions."""
        taken, base = self.reinterpreted_batch_ndims, self.base_dist.support
        return constraints.independent(base, taken) if taken else base

    @property
    def mean(self):
        """The mean."""
        return self.base_dist.mean

    @property
    def mode(self):
        """The most likely value."""
        return self.base_dist.mode

    @property
    def variance(self):
        """The variance."""
        return self.base_dist.variance

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """Return the log density, summed over the reinterpreted dimensions."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        """Return the entropy, summed over the reinterpreted dimensions."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        """Return all values in the support.

        Raise NotImplementedError if a dimension is reinterpreted.
        """
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
