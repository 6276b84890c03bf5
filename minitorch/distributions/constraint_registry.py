"""Registries that map a constraint to a transform from the reals into its set.

`biject_to` returns bijections. `transform_to` returns cheaper transforms, which need not be
injective.
"""

from minitorch.distributions import constraints, transforms
from minitorch.distributions.utils import is_number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """A registry of transforms, by the class of the constraint.

    Examples
    --------
    >>> import minitorch as torch
    >>> D = torch.distributions
    >>> D.biject_to(D.constraints.positive)(torch.zeros(2))
    tensor([1., 1.])
    """

    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        """Register the factory of transforms for a class of constraints.

        Without `factory`, return a decorator.

        Parameters
        ----------
        constraint : type or Constraint
        factory : callable, optional
            A function that takes the constraint and returns the transform.

        Raises
        ------
        TypeError
            If `constraint` is neither a `Constraint` nor a subclass of it.
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(
                "Expected constraint to be either a Constraint subclass or instance, but got "
                f"{constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        """Return a transform into the set of `constraint`.

        Raise NotImplementedError if no factory is registered for its class.
        """
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()

biject_to.__doc__ = """Return a bijective transform from unconstrained tensors into a set.

Parameters
----------
constraint : Constraint
    The set.

Returns
-------
Transform
    It takes real tensors of any shape; the events of its codomain lie in the set.

Raises
------
NotImplementedError
    If no transform is registered for the class of the constraint.

Examples
--------
>>> import minitorch as torch
>>> D = torch.distributions
>>> D.biject_to(D.constraints.positive)(torch.zeros(2))
tensor([1., 1.])
"""
transform_to.__doc__ = """Return a transform from unconstrained tensors into a set, not always a bijective one.

Parameters
----------
constraint : Constraint
    The set.

Returns
-------
Transform
    It takes real tensors of any shape; the events of its codomain lie in the set.

Raises
------
NotImplementedError
    If no transform is registered for the class of the constraint.

Examples
--------
>>> import minitorch as torch
>>> D = torch.distributions
>>> D.transform_to(D.constraints.simplex)(torch.zeros(2))
tensor([0.5000, 0.5000])
"""


def _from_below(constraint):
    shift = transforms.AffineTransform(constraint.lower_bound, 1)
    return transforms.ComposeTransform([transforms.ExpTransform(), shift])


def _from_above(constraint):
    shift = transforms.AffineTransform(constraint.upper_bound, -1)
    return transforms.ComposeTransform([transforms.ExpTransform(), shift])


def _between(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and is_number(high) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    stretch = transforms.AffineTransform(low, high - low)
    return transforms.ComposeTransform([transforms.SigmoidTransform(), stretch])


def _corr_cholesky(constraint):
    return transforms.CorrCholeskyTransform()


def _register_those_of_parts(registry):
    registry.register(
        constraints.independent,
        lambda c: transforms.IndependentTransform(
            registry(c.base_constraint), c.reinterpreted_batch_ndims
        ),
    )
    registry.register(
        constraints.cat,
        lambda c: transforms.CatTransform([registry(part) for part in c.cseq], c.dim, c.lengths),
    )
    registry.register(
        constraints.stack,
        lambda c: transforms.StackTransform([registry(part) for part in c.cseq], c.dim),
    )


for _registry in (biject_to, transform_to):
    _register_those_of_parts(_registry)
    _registry.register(constraints.real, lambda c: transforms.identity_transform)
    # `positive` and `nonnegative` are instances of these classes
    _registry.register(constraints.greater_than, _from_below)
    _registry.register(constraints.greater_than_eq, _from_below)
    _registry.register(constraints.less_than, _from_above)
    _registry.register(constraints.interval, _between)
    _registry.register(constraints.half_open_interval, _between)
    _registry.register(constraints.corr_cholesky, _corr_cholesky)

biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
for _constraint in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_constraint, lambda c: transforms.PositiveDefiniteTransform())
