"""Constraints: sets of values that a parameter may take or a distribution may return.

A constraint has `check(value)`, which returns for each event whether it lies in the set;
`event_dim`, the number of trailing dimensions that make one event; and `is_discrete`.
"""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import full
from minitorch.composed.comparisons import isclose
from minitorch.core.dtype import _dtypes
from minitorch.distributions._constraint import (
    Constraint,
    MixtureSameFamilyConstraint,
    _Cat,
    _Dependent,
    _DependentProperty,
    _IndependentConstraint,
    _Stack,
    is_dependent,
)
from minitorch.tensors.type_info import finfo

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


# -- numbers ---------------------------------------------------------------------------------------


class _Bounded(Constraint):
    """Numbers with bounds, which the repr shows."""

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
        # only nan differs from itself
        return value == value


class _GreaterThan(_FromBelow):
    """Real numbers greater than a bound.

    Parameters
    ----------
    lower_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.greater_than(0).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([False,  True,  True])
    """

    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_FromBelow):
    """Real numbers greater than a bound or equal to it.

    Parameters
    ----------
    lower_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.greater_than_eq(0).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([True, True, True])
    """

    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_FromAbove):
    """Real numbers less than a bound.

    Parameters
    ----------
    upper_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.less_than(1).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([ True,  True, False])
    """

    def check(self, value):
        return value < self.upper_bound


class _Interval(_FromBoth):
    """Real numbers from a lower to an upper bound, with both bounds.

    Parameters
    ----------
    lower_bound : number or Tensor
    upper_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.interval(0, 1).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([True, True, True])
    """

    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_FromBoth):
    """Real numbers from a lower bound, which is included, to an upper one, which is not.

    Parameters
    ----------
    lower_bound : number or Tensor
    upper_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.half_open_interval(0, 1).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([ True,  True, False])
    """

    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_FromBoth):
    """Integers from a lower to an upper bound, with both bounds.

    Parameters
    ----------
    lower_bound : number or Tensor
    upper_bound : number or Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.integer_interval(0, 1).check(torch.tensor([0.0, 0.5, 1.0]))
    tensor([ True, False,  True])
    """

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


# -- vectors ---------------------------------------------------------------------------------------


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
    """Vectors of nonnegative numbers whose sum is at most a bound.

    Parameters
    ----------
    upper_bound : int
        The largest sum of an event, whose shape is ``(n,)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.constraints.multinomial(3).check(torch.tensor([[1, 2], [2, 2]]))
    tensor([ True, False])
    """

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


# -- matrices --------------------------------------------------------------------------------------


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


dependent = _Dependent()
dependent.__doc__ = """Return a set that depends on the instance, such as the support of a distribution.

`dependent` itself is such a set, of which nothing is known.

Parameters
----------
is_discrete : bool, optional
    Whether the values are discrete, if that is known.
event_dim : int, optional
    The number of dimensions of an event, if that is known.

Returns
-------
Constraint
    A set whose `check` raises ValueError, and whose unknown attributes raise NotImplementedError.

Examples
--------
>>> import minitorch as torch
>>> C = torch.distributions.constraints
>>> C.dependent(event_dim=1).event_dim
1
>>> C.is_dependent(C.dependent)
True
"""
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
