"""The base class of constraints, and constraints that combine other constraints."""

from minitorch.autograd.functions import tensor_methods as _ops


class Constraint:
    """A set of allowed values.

    The method `check` takes a tensor and returns a bool tensor with an element for each event.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.positive.check(torch.tensor([-1.0, 2.0]))
    tensor([False,  True])
    """

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """Return a bool tensor: for each event in `value`, whether it lies in the set."""
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__[1:] + "()"


def _must_be_constraint(value):
    if not isinstance(value, Constraint):
        raise AssertionError(f"base_constraint must be a Constraint, got {type(value).__name__}")


# -- dependent constraints -------------------------------------------------------------------------


class _Dependent(Constraint):
    """A set that depends on the instance, such as the support of a distribution."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._known = {"is_discrete": is_discrete, "event_dim": event_dim}

    def _known_or_raise(self, name):
        if self._known[name] is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return self._known[name]

    @property
    def is_discrete(self):
        return self._known_or_raise("is_discrete")

    @property
    def event_dim(self):
        return self._known_or_raise("event_dim")

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        given = {"is_discrete": is_discrete, "event_dim": event_dim}
        return _Dependent(
            **{k: self._known[k] if v is NotImplemented else v for k, v in given.items()}
        )

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint):
    """Return True if a constraint is known only for an instance.

    Parameters
    ----------
    constraint : Constraint
        A constraint, such as the `support` of a class of distributions.

    Returns
    -------
    bool
        True for `dependent` and for a `dependent_property` read from a class.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> C.is_dependent(torch.distributions.Uniform.support)
    True
    >>> C.is_dependent(C.positive)
    False
    """
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property that returns the constraint of an instance.

    Read from the class, it is a dependent constraint.

    Used as a decorator, with or without `is_discrete` and `event_dim`.

    Parameters
    ----------
    fn : callable, optional
        The method that returns the constraint.
    is_discrete : bool, optional
        Whether the values are discrete, if that is the same for all instances.
    event_dim : int, optional
        The number of dimensions of an event, if that is the same for all instances.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> class Below:
    ...     def __init__(self, bound):
    ...         self.bound = bound
    ...     @C.dependent_property(is_discrete=False, event_dim=0)
    ...     def support(self):
    ...         return C.less_than(self.bound)
    >>> Below(2).support
    LessThan(upper_bound=2)
    >>> C.is_dependent(Below.support), Below.support.event_dim
    (True, 0)
    """

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        property.__init__(self, fn)
        _Dependent.__init__(self, is_discrete=is_discrete, event_dim=event_dim)

    def __call__(self, fn):
        return _DependentProperty(fn, **self._known)


class _IndependentConstraint(Constraint):
    """A constraint that treats the last batch dimensions of another constraint as event dimensions.

    An event lies in the set if all its parts do.

    Parameters
    ----------
    base_constraint : Constraint
        The constraint of the parts.
    reinterpreted_batch_ndims : int
        How many of the last batch dimensions become event dimensions.

    Raises
    ------
    AssertionError
        If the number is no int or negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> C.independent(C.positive, 1).check(torch.tensor([[1.0, 2.0], [1.0, -2.0]]))
    tensor([ True, False])
    """

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        _must_be_constraint(base_constraint)
        if not isinstance(reinterpreted_batch_ndims, int):
            raise AssertionError(
                "reinterpreted_batch_ndims must be an int, got "
                f"{type(reinterpreted_batch_ndims).__name__}"
            )
        if reinterpreted_batch_ndims < 0:
            raise AssertionError(
                f"reinterpreted_batch_ndims must be >= 0, got {reinterpreted_batch_ndims}"
            )
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self):
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        result = self.base_constraint.check(value)
        left = result.dim() - self.reinterpreted_batch_ndims
        if left < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return result.reshape(*result.shape[:left], -1).all(-1)

    def __repr__(self):
        return (
            f"{type(self).__name__[1:]}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"
        )


class MixtureSameFamilyConstraint(Constraint):
    """The intersection of the supports of all components of a mixture.

    Parameters
    ----------
    base_constraint : Constraint
        The support of the components. Its last batch dimension indexes the components.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> C.MixtureSameFamilyConstraint(C.positive).check(torch.tensor([-1.0, 2.0]))
    tensor([False,  True])
    """

    def __init__(self, base_constraint):
        _must_be_constraint(base_constraint)
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):
        """True if the support of the components is discrete."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        """The number of event dimensions of the components."""
        return self.base_constraint.event_dim

    def check(self, value):
        """Return for each event whether it lies in the supports of all components."""
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        left = value.dim() - self.event_dim
        if left < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return result.reshape(*result.shape[:left], -1).all(-1)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_constraint!r})"


# -- combined constraints --------------------------------------------------------------------------


class _Several(Constraint):
    def __init__(self, cseq, dim):
        if not all(isinstance(c, Constraint) for c in cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq = list(cseq)
        self.dim = dim

    @property
    def is_discrete(self):
        return any(c.is_discrete for c in self.cseq)

    @property
    def event_dim(self):
        return max(c.event_dim for c in self.cseq)

    def _check_dim(self, value):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(
                f"dim {self.dim} out of range for value with {value.dim()} dimensions"
            )


class _Cat(_Several):
    """Consecutive parts along a dimension, of the given lengths, each with its own constraint.

    Parameters
    ----------
    cseq : sequence of Constraint
        A constraint for each part.
    dim : int, default 0
        The dimension of the parts.
    lengths : sequence of int, optional
        The size of each part; 1 by default.

    Raises
    ------
    AssertionError
        If an item is no constraint, or there are not as many lengths as constraints.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> C.cat([C.positive, C.real], lengths=[1, 2]).check(torch.tensor([-1.0, -2.0, -3.0]))
    tensor([False,  True,  True])
    """

    def __init__(self, cseq, dim=0, lengths=None):
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})"
            )

    def check(self, value):
        self._check_dim(value)
        checks, start = [], 0
        for constraint, length in zip(self.cseq, self.lengths, strict=True):
            checks.append(constraint.check(value.narrow(self.dim, start, length)))
            start += length
        return _ops.cat(checks, self.dim)


class _Stack(_Several):
    """Slices along a dimension, each with its own constraint.

    Parameters
    ----------
    cseq : sequence of Constraint
        A constraint for each slice.
    dim : int, default 0
        The dimension of the slices.

    Raises
    ------
    AssertionError
        If an item is no constraint.

    Examples
    --------
    >>> import minitorch as torch
    >>> C = torch.distributions.constraints
    >>> C.stack([C.positive, C.real]).check(torch.tensor([-1.0, -2.0]))
    tensor([False,  True])
    """

    def __init__(self, cseq, dim=0):
        super().__init__(cseq, dim)

    @property
    def event_dim(self):
        dim = super().event_dim
        # the stacked dimension may be part of the event
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value):
        self._check_dim(value)
        slices = value.unbind(self.dim)
        # slices without a constraint are not checked
        return _ops.stack([c.check(v) for v, c in zip(slices, self.cseq, strict=False)], self.dim)
