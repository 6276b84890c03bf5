"""The multivariate normal distribution."""

import math

from minitorch.autograd.functions.creation import eye
from minitorch.composed.broadcasting import broadcast_shapes
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.utils import lazy_property, standard_normal

__all__ = ["MultivariateNormal"]


def cholesky(matrix):
    """Return the lower triangular L with L Lᵀ = matrix."""
    import minitorch.linalg as linalg

    return linalg.cholesky(matrix)


def solve_lower(lower, right):
    """Return L⁻¹ right."""
    import minitorch.linalg as linalg

    return linalg.solve_triangular(lower, right, upper=False)


def multiply(matrix, vector):
    """Return the product of a matrix and a vector, with batch dimensions broadcast."""
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


def squared_length(lower, vector):
    """Return |L⁻¹ x|², with batch dimensions broadcast."""
    batch, own = vector.shape[:-1], lower.shape[:-2]
    samples = len(batch) - len(own)
    if batch[samples:] != own:
        lower = lower.expand(batch[samples:] + lower.shape[-2:])
    # solve once per matrix, with its samples as columns
    columns = vector.movedim(tuple(range(samples)), tuple(range(-samples, 0)))
    solved = solve_lower(lower, columns.flatten(-samples) if samples else columns.unsqueeze(-1))
    lengths = solved.pow(2).sum(-2).reshape(batch[samples:] + batch[:samples])
    return lengths.movedim(tuple(range(-samples, 0)), tuple(range(samples)))


def half_log_det(lower):
    """Return log det L."""
    return lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def scale_of_precision(precision):
    """Return the Cholesky factor of the covariance, given the precision, without inverting it.

    Reverse the rows and columns to factor precision = U Uᵀ with U upper triangular. The result is
    U⁻ᵀ.
    """
    upper = cholesky(precision.flip((-2, -1))).flip((-2, -1))
    return solve_lower(upper.mT, eye(precision.shape[-1], dtype=precision.dtype))


# names that packages import
_batch_mahalanobis = squared_length
_batch_mv = multiply
_precision_to_scale_tril = scale_of_precision


def exactly_one_matrix(error, **given):
    """Return the name and the value of the only matrix that is given."""
    present = [(name, value) for name, value in given.items() if value is not None]
    if len(present) != 1:
        raise error(
            "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
        )
    return present[0]


def scale_of(name, matrix):
    """Return the Cholesky factor of the covariance, given `matrix` and its name."""
    if name == "scale_tril":
        return matrix
    return cholesky(matrix) if name == "covariance_matrix" else scale_of_precision(matrix)


class MultivariateNormal(Family):
    """Vectors m + L x, where x is a standard normal vector.

    Parameters
    ----------
    loc : Tensor
        m, of shape (..., n).
    covariance_matrix : Tensor, optional
        L Lᵀ, of shape (..., n, n).
    precision_matrix : Tensor, optional
        The inverse of L Lᵀ.
    scale_tril : Tensor, optional
        L, lower triangular with a positive diagonal. The other two matrices are converted to it.
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> p = torch.distributions.MultivariateNormal(torch.zeros(2), torch.tensor([[4.0, 2.0], [2.0, 2.0]]))
    >>> p.scale_tril
    tensor([[2., 0.],
            [1., 1.]])
    >>> p.log_prob(torch.zeros(2))
    tensor(-2.5310)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True
    _tensors = ("loc", "covariance_matrix", "scale_tril", "precision_matrix")
    _kept = ("_unbroadcasted_scale_tril",)

    def __init__(
        self,
        loc,
        covariance_matrix=None,
        precision_matrix=None,
        scale_tril=None,
        validate_args=None,
    ):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = exactly_one_matrix(
            ValueError,
            scale_tril=scale_tril,
            covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix,
        )
        if matrix.dim() < 2:
            text = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(
                f"{text} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        Distribution.__init__(self, batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = scale_of(name, matrix)

    @property
    def _matrix_shape(self):
        return self._batch_shape + self._event_shape + self._event_shape

    @lazy_property
    def scale_tril(self):
        """Return L."""
        return self._unbroadcasted_scale_tril.expand(self._matrix_shape)

    @lazy_property
    def covariance_matrix(self):
        """Return L Lᵀ."""
        scale = self._unbroadcasted_scale_tril
        return (scale @ scale.mT).expand(self._matrix_shape)

    @lazy_property
    def precision_matrix(self):
        """Return the inverse of L Lᵀ."""
        return self._unbroadcasted_scale_tril.cholesky_inverse().expand(self._matrix_shape)

    @property
    def mean(self):
        """The mean, m."""
        return self.loc

    @property
    def mode(self):
        """The mode, m."""
        return self.loc

    @property
    def variance(self):
        """The diagonal of L Lᵀ."""
        variance = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return variance.expand(self._batch_shape + self._event_shape)

    def _draw(self, shape):
        noise = standard_normal(shape, self.loc.dtype)
        return self.loc + multiply(self._unbroadcasted_scale_tril, noise)

    def _log_density(self, value):
        scale, n = self._unbroadcasted_scale_tril, self._event_shape[0]
        length = squared_length(scale, value - self.loc)
        return -0.5 * (n * math.log(2 * math.pi) + length) - half_log_det(scale)

    def entropy(self):
        """Return n (1 + log 2π) / 2 + log det L."""
        n = self._event_shape[0]
        entropy = 0.5 * n * (1.0 + math.log(2 * math.pi)) + half_log_det(
            self._unbroadcasted_scale_tril
        )
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
