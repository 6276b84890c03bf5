"""`Distribution` and `Family`, the base class of most distributions in this package.

A sample has the shape ``sample_shape + batch_shape + event_shape``. The batch shape counts
independent distributions; the event shape is the shape of one value.
"""

import warnings

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.utils import broadcast_all, is_number, lazy_property
from minitorch.tensors.vmap_values import _is_all_true

__all__ = ["Distribution"]


class Distribution:
    """The base class of distributions.

    Parameters
    ----------
    batch_shape, event_shape : Size
    validate_args : bool, optional
        Whether to check parameters and values. The default is set by `set_default_validate_args`.

    Notes
    -----
    A subclass defines `arg_constraints`, a dict from parameter names to constraints, and `support`,
    the constraint that its values satisfy.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Die(torch.distributions.Distribution):
    ...     arg_constraints = {}
    ...     support = torch.distributions.constraints.integer_interval(1, 6)
    ...     def sample(self, sample_shape=()):
    ...         return torch.randint(1, 7, sample_shape)
    ...     def log_prob(self, value):
    ...         self._validate_sample(value)
    ...         return torch.full(value.shape, 1 / 6).log()
    >>> Die(validate_args=True).log_prob(torch.tensor([1, 6])).exp()
    tensor([0.1667, 0.1667])
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value):
        """Set whether parameters and values are checked by default.

        Parameters
        ----------
        value : bool
        """
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=Size(), event_shape=Size(), validate_args=None):  # noqa: B008
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self):
        try:
            wanted = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or "
                "initialize the distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        for name, constraint in wanted.items():
            if constraints.is_dependent(constraint):
                continue
            is_lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if is_lazy and name not in self.__dict__:
                continue
            value = getattr(self, name)
            if not _is_all_true(constraint.check(value)):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) "
                    f"of distribution {self!r} to satisfy the constraint {constraint!r}, but found "
                    f"invalid values:\n{value}"
                )

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded, without copying parameters.

        Parameters
        ----------
        batch_shape : Size
        _instance : Distribution, optional
            An instance that a subclass has already created and that `expand` fills in.

        Returns
        -------
        Distribution
        """
        raise NotImplementedError

    @property
    def batch_shape(self):
        """The shape of the independent distributions."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of one value."""
        return self._event_shape

    @property
    def arg_constraints(self):
        """The constraints of the parameters, by parameter name."""
        raise NotImplementedError

    @property
    def support(self):
        """The constraint that the values satisfy."""
        raise NotImplementedError

    @property
    def mean(self):
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self):
        """The most likely value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self):
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self):
        """The root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history.

        Parameters
        ----------
        sample_shape : Size

        Returns
        -------
        Tensor
            The sample, of shape ``sample_shape + batch_shape + event_shape``.
        """
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters.

        Parameters
        ----------
        sample_shape : Size

        Returns
        -------
        Tensor
            The sample, of shape ``sample_shape + batch_shape + event_shape``.
        """
        raise NotImplementedError

    def sample_n(self, n):
        """Return ``sample((n,))``; deprecated."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self.sample(Size((n,)))

    def log_prob(self, value):
        """Return the logarithm of the probability density or mass at `value`.

        Parameters
        ----------
        value : Tensor
        """
        raise NotImplementedError

    def cdf(self, value):
        """Return the cumulative distribution function at `value`.

        Parameters
        ----------
        value : Tensor
        """
        raise NotImplementedError

    def icdf(self, value):
        """Return the quantiles for the probabilities `value`: the inverse of `cdf`.

        Parameters
        ----------
        value : Tensor
            Probabilities.
        """
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        """Return all values in the support, along a new first dimension.

        Parameters
        ----------
        expand : bool, default True
            Whether to expand the result to the batch shape. If False, the batch dimensions have
            size 1.
        """
        raise NotImplementedError

    def entropy(self):
        """Return the entropy in nats."""
        raise NotImplementedError

    def perplexity(self):
        """Return the exponential of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape=Size()):  # noqa: B008
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value):
        """Raise ValueError unless `value` has a valid shape and lies in the support."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape = value.size()
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for i, j in zip(reversed(shape), reversed(expected), strict=False):
            if i != j and 1 not in (i, j):
                raise ValueError(
                    "Value is not broadcastable with batch_shape+event_shape: "
                    f"{shape} vs {expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `support` to enable sample validation. Please initialize "
                "the distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not _is_all_true(support.check(value)):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(shape)}) to be within "
                f"the support ({support!r}) of the distribution {self!r}, but found invalid values:\n"
                f"{value}"
            )

    def _get_checked_instance(self, cls, _instance=None):
        """Return an uninitialized instance for `expand`.

        Raise NotImplementedError for a subclass that overrides `__init__` but not `expand`.
        """
        if _instance is not None:
            return _instance
        if type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method "
                "must also define a custom .expand() method."
            )
        return self.__new__(type(self))

    def __repr__(self):
        shown = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(shown)})"


class Family(Distribution):
    """A distribution whose parameters are tensors of the batch shape plus any trailing dimensions.

    A subclass lists the parameters in `_tensors`, the other attributes to copy on expansion in
    `_kept`, and its component distributions in `_parts`. It implements `_draw(shape)`,
    `_log_density(value)` and, if available, `_cumulative(value)`.
    """

    _tensors: tuple = ()
    _parts: tuple = ()
    _kept: tuple = ()

    def _set(self, validate_args=None, **parameters):
        """Broadcast numbers and tensors together and set them as the parameters."""
        tensors = broadcast_all(*parameters.values())
        for name, value in zip(parameters, tensors, strict=True):
            setattr(self, name, value)
        scalar = all(is_number(value) for value in parameters.values())
        shape = Size() if scalar else tensors[0].size()
        Distribution.__init__(self, shape, validate_args=validate_args)

    def _library_class(self):
        """Return the nearest base class that this package defines, whose constructor is known."""
        for cls in type(self).__mro__:
            if cls.__module__.startswith((f"{__package__}.", "torch.distributions.")):
                return cls
        return Family

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded."""
        new = self._get_checked_instance(self._library_class(), _instance)
        batch_shape, had = Size(batch_shape), len(self._batch_shape)
        for name in self._tensors:
            if name in self.__dict__:
                value = self.__dict__[name]
                setattr(new, name, value.expand(batch_shape + value.shape[had:]))
        for name in self._parts:
            part = getattr(self, name)
            setattr(new, name, part.expand(batch_shape + part.batch_shape[had:]))
        for name in self._kept:
            setattr(new, name, getattr(self, name))
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _draw(self, shape):
        raise NotImplementedError

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        with no_grad():
            return self._draw(self._extended_shape(sample_shape))

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        if not self.has_rsample:
            raise NotImplementedError
        return self._draw(self._extended_shape(sample_shape))

    def log_prob(self, value):
        """Return the logarithm of the probability density or mass at `value`."""
        if self._validate_args:
            self._validate_sample(value)
        return self._log_density(value)

    def _log_density(self, value):
        raise NotImplementedError

    def cdf(self, value):
        """Return the cumulative distribution function at `value`."""
        if self._cumulative is None:
            raise NotImplementedError
        if self._validate_args:
            self._validate_sample(value)
        return self._cumulative(value)

    _cumulative = None
