"""Transforms of vectors and matrices, and transforms that act on parts of a tensor."""

import math

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import eye
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions._transform import SameByKind, Transform, need_dims
from minitorch.distributions._transforms_of_numbers import clipped_sigmoid
from minitorch.distributions.utils import (
    lazy_property,
    sum_rightmost,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)
from minitorch.nn.functional import logsigmoid, pad, softplus
from minitorch.tensors.type_info import finfo


class CorrCholeskyTransform(Transform):
    """Map vectors of n (n - 1) / 2 numbers to Cholesky factors of n x n correlation matrices [1].

    The numbers, taken row by row and mapped to (-1, 1) by tanh, are partial correlations. Each one
    scales what the preceding elements leave of the unit length of its row.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    References
    ----------
    .. [1] Stan Development Team, Stan reference manual, Cholesky factors of correlation matrices.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.CorrCholeskyTransform()(torch.zeros(1))
    tensor([[1., 0.],
            [0., 1.]])
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        x = x.tanh()
        eps = finfo(x.dtype).eps
        partial = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - partial**2).sqrt().cumprod(-1)
        partial = partial + eye(partial.shape[-1], dtype=partial.dtype)
        return partial * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = pad((1 - (y * y).cumsum(dim=-1))[..., :-1], [1, 0], value=1)
        t = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        # atanh(t)
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        """Return log |det dy/dx|: the term of the row lengths plus the term of tanh."""
        left = tril_matrix_to_vec(1 - (y * y).cumsum(dim=-1), diag=-2)
        of_tanh = -2 * (x + softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return 0.5 * left.log().sum(-1) + of_tanh

    def forward_shape(self, shape):
        """Return (..., n, n) for an input shape (..., n (n - 1) / 2)."""
        need_dims(shape, 1)
        count = shape[-1]
        n = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (n, n)

    def inverse_shape(self, shape):
        """Return (..., n (n - 1) / 2) for an output shape (..., n, n)."""
        need_dims(shape, 2)
        n = shape[-1]
        if shape[-2] != n:
            raise ValueError("Input is not square")
        return shape[:-2] + (n * (n - 1) // 2,)


class SoftmaxTransform(SameByKind):
    """The softmax over the last dimension; the inverse is the logarithm.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.SoftmaxTransform()(torch.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x):
        weights = (x - x.max(-1, True)[0]).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        """Return `shape` unchanged."""
        need_dims(shape, 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(SameByKind):
    """Map n numbers to n + 1 positive numbers that sum to 1 by breaking a stick [1].

    The sigmoid of each number, shifted by a constant, is the fraction broken off the remaining
    stick.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    References
    ----------
    .. [1] Stan Development Team, Stan reference manual, unit simplex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.StickBreakingTransform()(torch.zeros(3))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    @staticmethod
    def _offset(like):
        """Return log(number of parts still to come), so that x = 0 gives equal parts."""
        n = like.shape[-1]
        return (n + 1 - like.new_ones(n).cumsum(-1)).log()

    def _call(self, x):
        broken = clipped_sigmoid(x - self._offset(x))
        left = (1 - broken).cumprod(-1)
        return pad(broken, [0, 1], value=1) * pad(left, [1, 0], value=1)

    def _inverse(self, y):
        parts = y[..., :-1]
        # rounding can make the remainder negative
        left = (1 - parts.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return parts.log() - left.log() + self._offset(parts)

    def log_abs_det_jacobian(self, x, y):
        """Return log |det dy/dx| for the first n components of `y`."""
        x = x - self._offset(x)
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        """Return `shape` with the last size increased by one."""
        need_dims(shape, 1)
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        """Return `shape` with the last size decreased by one."""
        need_dims(shape, 1)
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(SameByKind):
    """Map matrices to lower triangular ones with a positive diagonal.

    Elements above the diagonal are dropped; the diagonal is exponentiated.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.LowerCholeskyTransform()(torch.tensor([[0.0, 5.0], [2.0, 0.0]]))
    tensor([[1., 0.],
            [2., 1.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(SameByKind):
    """Map matrices to positive definite ones, L Lᵀ with L from `LowerCholeskyTransform`.

    Parameters
    ----------
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.PositiveDefiniteTransform()(torch.tensor([[0.0, 5.0], [2.0, 0.0]]))
    tensor([[1., 2.],
            [2., 5.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x):
        lower = LowerCholeskyTransform()(x)
        return lower @ lower.mT

    def _inverse(self, y):
        import minitorch.linalg as linalg

        return LowerCholeskyTransform().inv(linalg.cholesky(y))


class ReshapeTransform(Transform):
    """Reshape each event.

    Parameters
    ----------
    in_shape, out_shape : tuple of int
    cache_size : {0, 1}, default 0

    Raises
    ------
    ValueError
        If the two shapes have different numbers of elements.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.distributions.ReshapeTransform((4,), (2, 2))(torch.zeros(3, 4)).shape
    torch.Size([3, 2, 2])
    """

    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    def _arguments(self):
        return self.in_shape, self.out_shape

    @constraints.dependent_property
    def domain(self):
        """Return the reals with the event dimensions of `in_shape`."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self):
        """Return the reals with the event dimensions of `out_shape`."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x):
        return x.reshape(x.shape[: x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y):
        return y.reshape(y.shape[: y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        """Return zeros of the batch shape."""
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        """Return the shape of the output for an input of the given shape."""
        return _replaced(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        """Return the shape of the input for an output of the given shape."""
        return _replaced(shape, self.out_shape, self.in_shape)


def _replaced(shape, old, new):
    need_dims(shape, len(old))
    cut = len(shape) - len(old)
    if shape[cut:] != old:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
    return shape[:cut] + new


# -- parts of a tensor -----------------------------------------------------------------------------


class _OfParts(Transform):
    """The base class of transforms that apply one transform to each part along a dimension."""

    def __init__(self, tseq, dim, cache_size):
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size=cache_size)
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    @property
    def bijective(self):
        """True if all transforms are bijective."""
        return all(t.bijective for t in self.transforms)

    def _check(self, name, value, count, described, shown=None):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(
                f"dim {self.dim} out of range for {shown or 'tensor'} with {value.dim()} dimensions"
            )
        if value.size(self.dim) != count:
            raise AssertionError(
                f"{name}.size({self.dim}) = {value.size(self.dim)} must equal {described} {count}"
            )


class CatTransform(_OfParts):
    """Apply one transform to each of several consecutive parts along a dimension.

    Parameters
    ----------
    tseq : sequence of Transform
    dim : int, default 0
    lengths : sequence of int, optional
        The lengths of the parts; 1 each by default.
    cache_size : {0, 1}, default 0

    Examples
    --------
    >>> import minitorch as torch
    >>> T = torch.distributions
    >>> T.CatTransform([T.ExpTransform(), T.TanhTransform()], lengths=[1, 2])(torch.zeros(3))
    tensor([1., 0., 0.])
    """

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )

    def _arguments(self):
        return self.transforms, self.dim, self.lengths

    @lazy_property
    def event_dim(self):
        """Return the largest event dimension of the transforms."""
        return max(t.event_dim for t in self.transforms)

    @lazy_property
    def length(self):
        """Return the sum of the lengths."""
        return sum(self.lengths)

    def _parts(self, name, value, shown=None):
        self._check(name, value, self.length, "length", shown)
        start = 0
        for transform, length in zip(self.transforms, self.lengths, strict=True):
            yield transform, value.narrow(self.dim, start, length)
            start += length

    def _call(self, x):
        return _ops.cat([t(part) for t, part in self._parts("x", x)], dim=self.dim)

    def _inverse(self, y):
        return _ops.cat([t.inv(part) for t, part in self._parts("y", y)], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        """Return the terms of the parts concatenated, or summed if `dim` is an event dimension."""
        pairs = zip(self._parts("x", x, "x"), self._parts("y", y, "y"), strict=True)
        terms = [
            sum_rightmost(
                t.log_abs_det_jacobian(x_part, y_part), max(self.event_dim - t.event_dim, 0)
            )
            for (t, x_part), (_, y_part) in pairs
        ]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return _ops.cat(terms, dim=dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self):
        """Return the domains of the transforms, concatenated along `dim`."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self):
        """Return the codomains of the transforms, concatenated along `dim`."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_OfParts):
    """Apply one transform to each slice along a dimension.

    Parameters
    ----------
    tseq : sequence of Transform
    dim : int, default 0
    cache_size : {0, 1}, default 0

    Examples
    --------
    >>> import minitorch as torch
    >>> T = torch.distributions
    >>> T.StackTransform([T.ExpTransform(), T.TanhTransform()])(torch.zeros(2))
    tensor([1., 0.])
    """

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(tseq, dim, cache_size)

    def _arguments(self):
        return self.transforms, self.dim

    def _slices(self, name, value, shown=None):
        self._check(name, value, len(self.transforms), "len(transforms)", shown)
        return zip(self.transforms, value.unbind(self.dim), strict=True)

    def _call(self, x):
        return _ops.stack([t(part) for t, part in self._slices("x", x)], dim=self.dim)

    def _inverse(self, y):
        return _ops.stack([t.inv(part) for t, part in self._slices("y", y)], dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        """Return the terms of the slices, stacked along `dim`."""
        pairs = zip(self._slices("x", x, "x"), self._slices("y", y, "y"), strict=True)
        terms = [t.log_abs_det_jacobian(a, b) for (t, a), (_, b) in pairs]
        return _ops.stack(terms, dim=self.dim)

    @constraints.dependent_property
    def domain(self):
        """Return the domains of the transforms, stacked along `dim`."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self):
        """Return the codomains of the transforms, stacked along `dim`."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)


class CumulativeDistributionTransform(Transform):
    """The cumulative distribution function of a distribution.

    It works on each element and maps the support of the distribution to the unit interval.

    Parameters
    ----------
    distribution : Distribution
        A distribution of single numbers that implements `cdf` and `icdf`.
    cache_size : {0, 1}, default 0
        If 1, keep the last pair of input and output.

    Examples
    --------
    >>> import minitorch as torch
    >>> D = torch.distributions
    >>> D.CumulativeDistributionTransform(D.Normal(0.0, 1.0))(torch.tensor([-1.0, 0.0]))
    tensor([0.1587, 0.5000])
    """

    bijective = True
    codomain = constraints.unit_interval
    sign = +1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    def _arguments(self):
        return (self.distribution,)

    @property
    def domain(self):
        """The support of the distribution."""
        return self.distribution.support

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        """Return the log density of the distribution at `x`."""
        return self.distribution.log_prob(x)
