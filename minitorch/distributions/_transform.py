"""`Transform`, its inverse, and composed and reshaped transforms."""

from functools import reduce
from operator import add

from minitorch.autograd.functions.creation import zeros_like
from minitorch.distributions import constraints
from minitorch.distributions.utils import lazy_property, sum_rightmost


def need_dims(shape, count):
    """Raise ValueError unless `shape` has at least `count` dimensions."""
    if len(shape) < count:
        raise ValueError("Too few dimensions on input")


class Transform:
    """An invertible function with a known Jacobian.

    A subclass implements `_call`, `_inverse` and `log_abs_det_jacobian`.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output, so that inverting the output returns the
        original input without computing it.

    Attributes
    ----------
    domain, codomain : Constraint
    bijective : bool
    sign : int or Tensor
        The sign of the derivative, for transforms of scalars.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Cube(torch.distributions.Transform):
    ...     domain = codomain = torch.distributions.constraints.real
    ...     bijective = True
    ...     sign = 1
    ...     def _call(self, x):
    ...         return x**3
    ...     def _inverse(self, y):
    ...         return y ** (1 / 3)
    ...     def log_abs_det_jacobian(self, x, y):
    ...         return (3 * x**2).log()
    >>> Cube()(torch.tensor(2.0))
    tensor(8.)
    >>> Cube().inv(torch.tensor(8.0))
    tensor(2.)
    """

    bijective = False
    domain: constraints.Constraint
    codomain: constraints.Constraint

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv = None
        self._cached_x_y = None, None
        # cooperate with other bases, such as Module
        super().__init__()

    def __getstate__(self):
        # `_inv` refers back to this transform; a new one is created on demand
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self):
        """The number of event dimensions, if the domain and the codomain have equally many."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self):
        """The inverse transform."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self):
        """The sign of the derivative."""
        raise NotImplementedError

    def _arguments(self):
        """Return the constructor arguments without `cache_size`."""
        if type(self).__init__ is not Transform.__init__:
            raise NotImplementedError(f"{type(self)}.with_cache is not implemented")
        return ()

    def with_cache(self, cache_size=1):
        """Return this transform with the given cache size."""
        if self._cache_size == cache_size:
            return self
        return type(self)(*self._arguments(), cache_size=cache_size)

    def __eq__(self, other):
        return self is other

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x):
        return self._remembered(x, 0, self._call)

    def _inv_call(self, y):
        return self._remembered(y, 1, self._inverse)

    def _remembered(self, value, place, compute):
        """Return the partner of `value`, cached or computed.

        `place` is the index of `value` in the pair (x, y).
        """
        if self._cache_size and self._cached_x_y[place] is value:
            return self._cached_x_y[1 - place]
        result = compute(value)
        if self._cache_size:
            self._cached_x_y = (result, value) if place else (value, result)
        return result

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        """Return log |det dy/dx| at the input `x` with output `y`."""
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__}()"

    def forward_shape(self, shape):
        """Return the shape of the output for an input of the given shape."""
        return shape

    def inverse_shape(self, shape):
        """Return the shape of the input for an output of the given shape."""
        return shape


class SameByKind(Transform):
    """A transform without parameters: all instances of a class are equal."""

    def __eq__(self, other):
        return isinstance(other, type(self))

    __hash__ = None  # type: ignore[assignment]


class _InverseTransform(Transform):
    """The inverse of a transform; it uses the cache of that transform."""

    def __init__(self, transform):
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    def __getstate__(self):
        return self.__dict__

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        return self._inv.domain

    @property
    def bijective(self):
        return self._inv.bijective

    @property
    def sign(self):
        return self._inv.sign

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)


class ComposeTransform(Transform):
    """The composition of several transforms.

    Parameters
    ----------
    parts : list of Transform
        The first is applied first; each takes a tensor of the shape that the one before returns.
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> T = torch.distributions.transforms
    >>> both = T.ComposeTransform([T.AffineTransform(1.0, 2.0), T.ExpTransform()])
    >>> both.inv(both(torch.tensor(3.0)))
    tensor(3.)
    """

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def _with_room(end, sides):
        """Return the constraint `end` with as many event dimensions as all parts need.

        Each entry of `sides` is a pair (constraint on this side, constraint on the other side) of
        one part. The parts are ordered from the opposite end of the chain.
        """
        dims = sides[0][1].event_dim
        for near, far in sides:
            dims = max(dims + near.event_dim - far.event_dim, near.event_dim)
        more = dims - end.event_dim
        return constraints.independent(end, more) if more else end

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """Return the domain of the first part, with the event dimensions that all parts need."""
        if not self.parts:
            return constraints.real
        sides = [(part.domain, part.codomain) for part in reversed(self.parts)]
        return self._with_room(self.parts[0].domain, sides)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """Return the codomain of the last part, with the event dimensions that all parts need."""
        if not self.parts:
            return constraints.real
        sides = [(part.codomain, part.domain) for part in self.parts]
        return self._with_room(self.parts[-1].codomain, sides)

    @lazy_property
    def bijective(self):
        """Return True if all parts are bijective."""
        return all(part.bijective for part in self.parts)

    @lazy_property
    def sign(self):
        """Return the product of the signs of the parts."""
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    @property
    def inv(self):
        """The composition of the inverted parts in reverse order."""
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def with_cache(self, cache_size=1):
        """Return this transform with the given cache size."""
        if self._cache_size == cache_size:
            return self
        return ComposeTransform(self.parts, cache_size=cache_size)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        """Return the sum over the parts.

        Dimensions that are batch dimensions for a part but event dimensions for the composition are
        summed.
        """
        if not self.parts:
            return zeros_like(x)
        points = [x]
        for part in self.parts[:-1]:
            points.append(part(points[-1]))
        points.append(y)
        dims, terms = self.domain.event_dim, []
        for k, part in enumerate(self.parts):
            term = part.log_abs_det_jacobian(points[k], points[k + 1])
            terms.append(sum_rightmost(term, dims - part.domain.event_dim))
            dims += part.codomain.event_dim - part.domain.event_dim
        return reduce(add, terms)

    def forward_shape(self, shape):
        """Return the shape of the output for an input of the given shape."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        """Return the shape of the input for an output of the given shape."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        return f"{type(self).__name__}(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


identity_transform = ComposeTransform([])
identity_transform.__doc__ = """Return the argument: the composition of no transforms.

Parameters
----------
x : Tensor
    Any shape and dtype.

Returns
-------
Tensor
    `x` itself.

Examples
--------
>>> import minitorch as torch
>>> torch.distributions.identity_transform(torch.tensor(3.0))
tensor(3.)
"""


class IndependentTransform(Transform):
    """A transform that treats the last batch dimensions of another transform as event dimensions.

    Parameters
    ----------
    base_transform : Transform
    reinterpreted_batch_ndims : int
    cache_size : {0, 1}, default 0

    Examples
    --------
    >>> import minitorch as torch
    >>> T = torch.distributions
    >>> t = T.IndependentTransform(T.AffineTransform(0.0, 1.0), 1)
    >>> t.log_abs_det_jacobian(torch.ones(2, 3), torch.ones(2, 3))
    tensor([0., 0.])
    """

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _arguments(self):
        return self.base_transform, self.reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self):
        """Return the domain of the base transform, with the additional event dimensions."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self):
        """Return the codomain of the base transform, with the additional event dimensions."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self):
        """True if the base transform is bijective."""
        return self.base_transform.bijective

    @property
    def sign(self):
        """The sign of the base transform."""
        return self.base_transform.sign

    def _call(self, x):
        need_dims(x.shape, self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y):
        need_dims(y.shape, self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        """Return the term of the base transform, summed over the additional event dimensions."""
        result = self.base_transform.log_abs_det_jacobian(x, y)
        return sum_rightmost(result, self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"

    def forward_shape(self, shape):
        """Return the output shape of the base transform."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        """Return the input shape of the base transform."""
        return self.base_transform.inverse_shape(shape)
