"""Sets of values: those a parameter may have, and those that a distribution gives.

A constraint has `check(value)`, which says for each event whether it lies in the set; `event_dim`, how many
dimensions at the right make one event; and `is_discrete`.
"""

from minitorch._functional import isclose
from minitorch._type_info import finfo
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import full
from minitorch.core.dtype import _dtypes

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "boolean",
    "cat",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "stack",
    "symmetric",
    "unit_interval",
]


class Constraint:
    """A set of values.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.positive.check(torch.tensor([-1.0, 2.0]))
    tensor([False,  True])
    """

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """For each event, whether it lies in the set."""
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__[1:] + "()"


def _must_be_constraint(value):
    if not isinstance(value, Constraint):
        raise AssertionError(f"base_constraint must be a Constraint, got {type(value).__name__}")


# -- that depend on others --------------------------------------------------------------------------


class _Dependent(Constraint):
    """A set that only an instance knows."""

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
    """Whether a constraint is known only by an instance."""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property that is a constraint of the instance; read from the class it is a dependent one.

    Used as a decorator, with or without `is_discrete` and `event_dim`.
    """

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        property.__init__(self, fn)
        _Dependent.__init__(self, is_discrete=is_discrete, event_dim=event_dim)

    def __call__(self, fn):
        return _DependentProperty(fn, **self._known)


class _IndependentConstraint(Constraint):
    """Dimensions at the right are taken into the event: it is in the set when all parts are."""

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
    """What lies in the supports of all components of a mixture.

    Parameters
    ----------
    base_constraint : Constraint
        The support of the components, whose last batch dimension counts them.
    """

    def __init__(self, base_constraint):
        _must_be_constraint(base_constraint)
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):
        """Of the components."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):
        """Of the components."""
        return self.base_constraint.event_dim

    def check(self, value):
        """For each event, whether it is in all supports."""
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        left = value.dim() - self.event_dim
        if left < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return result.reshape(*result.shape[:left], -1).all(-1)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_constraint!r})"


# -- numbers ----------------------------------------------------------------------------------------


class _Bounded(Constraint):
    """Numbers with bounds, which its repr shows."""

    def __repr__(self):
        bounds = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__[1:]}({bounds})"


class _FromBelow(_Bounded):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound


class _FromAbove(_Bounded):
    def __init__(self, upper_bound):
        self.upper_bound = upper_bound


class _FromBoth(_Bounded):
    def __init__(self, lower_bound, upper_bound):
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound


def _whole(value):
    return value % 1 == 0


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _Real(Constraint):
    def check(self, value):
        # all but nan
        return value == value


class _GreaterThan(_FromBelow):
    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_FromBelow):
    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_FromAbove):
    def check(self, value):
        return value < self.upper_bound


class _Interval(_FromBoth):
    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_FromBoth):
    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_FromBoth):
    is_discrete = True

    def check(self, value):
        return _whole(value) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_FromAbove):
    is_discrete = True

    def check(self, value):
        return _whole(value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_FromBelow):
    is_discrete = True

    def check(self, value):
        return _whole(value) & (value >= self.lower_bound)


# -- vectors ----------------------------------------------------------------------------------------


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return boolean.check(value).all(-1) & (value.sum(-1) == 1)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(Constraint):
    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


# -- matrices ---------------------------------------------------------------------------------------


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value):
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(Constraint):
    event_dim = 2

    def check(self, value):
        return lower_triangular.check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(Constraint):
    event_dim = 2

    def check(self, value):
        tolerance = finfo(value.dtype).eps * value.size(-1) * 10
        lengths = _ops.linalg_vector_norm(value.detach(), dim=-1)
        return lower_cholesky.check(value) & ((lengths - 1.0).abs() <= tolerance).all(dim=-1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value):
        is_square = value.shape[-2] == value.shape[-1]
        return full(value.shape[:-2], is_square, dtype=_dtypes()["bool"])


class _Symmetric(_Square):
    def check(self, value):
        is_square = super().check(value)
        if not is_square.all():
            return is_square
        return isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _SymmetricAndMore(_Symmetric):
    def check(self, value):
        is_symmetric = super().check(value)
        return self._more(value) if is_symmetric.all() else is_symmetric


class _PositiveSemidefinite(_SymmetricAndMore):
    def _more(self, value):
        import minitorch.linalg as linalg

        return (linalg.eigvalsh(value) >= 0).all(-1)


class _PositiveDefinite(_SymmetricAndMore):
    def _more(self, value):
        import minitorch.linalg as linalg

        return linalg.cholesky_ex(value).info == 0


# -- put together -----------------------------------------------------------------------------------


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
    """Parts along a dimension, `lengths` long, each with its own constraint."""

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
    """Slices along a dimension, each with its own constraint."""

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
        # those without a partner are not looked at
        return _ops.stack([c.check(v) for v, c in zip(slices, self.cseq, strict=False)], self.dim)


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
cat = _Cat
stack = _Stack
