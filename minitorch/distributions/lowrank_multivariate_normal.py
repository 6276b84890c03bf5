"""The multivariate normal distribution with a covariance of low rank plus a diagonal.

If W has few columns, the inverse and the determinant of W Wᵀ + D are cheap to compute from the
small matrix 1 + Wᵀ D⁻¹ W, by the Woodbury identity and the matrix determinant lemma [1].

References
----------
.. [1] Woodbury, Inverting modified matrices, 1950.
"""

import math

from minitorch.composed.broadcasting import broadcast_tensors
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.multivariate_normal import (
    cholesky,
    half_log_det,
    multiply,
    solve_lower,
    squared_length,
)
from minitorch.distributions.utils import lazy_property, standard_normal

__all__ = ["LowRankMultivariateNormal"]


def _one_plus(matrix):
    """Return 1 + matrix, computed in place if `matrix` is contiguous."""
    matrix = matrix.contiguous()
    n = matrix.size(-1)
    matrix.view(-1, n * n)[:, :: n + 1] += 1
    return matrix


def _batch_capacitance_tril(W, D):
    """Return the Cholesky factor of 1 + Wᵀ D⁻¹ W, with D given by its diagonal."""
    return cholesky(_one_plus((W.mT / D.unsqueeze(-2)) @ W))


class LowRankMultivariateNormal(Family):
    """Vectors m + W x + √D y, where x and y are standard normal vectors.

    Parameters
    ----------
    loc : Tensor
        m, of shape (..., n).
    cov_factor : Tensor
        W, of shape (..., n, k).
    cov_diag : Tensor
        The diagonal of D, of shape (..., n).
    validate_args : bool, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> p = torch.distributions.LowRankMultivariateNormal(torch.zeros(2), torch.ones(2, 1), torch.ones(2))
    >>> p.covariance_matrix
    tensor([[2., 1.],
            [1., 2.]])
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True
    _tensors = ("loc", "cov_diag", "cov_factor")
    _kept = ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril")

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(
                f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m"
            )
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            columns, self.cov_factor, diag = broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag "
                f"{cov_diag.shape}"
            ) from error
        self.loc, self.cov_diag = columns[..., 0], diag[..., 0]
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        batch_shape = self.loc.shape[:-1]
        Distribution.__init__(self, batch_shape, event_shape, validate_args=validate_args)

    @property
    def _weighted(self):
        """Return Wᵀ D⁻¹."""
        return self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)

    def _log_det(self):
        """Return the log determinant of the covariance matrix."""
        return 2 * half_log_det(self._capacitance_tril) + self._unbroadcasted_cov_diag.log().sum(-1)

    def _squared_length(self, x):
        """Return xᵀ C⁻¹ x with the covariance C."""
        of_diagonal = (x.pow(2) / self._unbroadcasted_cov_diag).sum(-1)
        return of_diagonal - squared_length(self._capacitance_tril, multiply(self._weighted, x))

    def _whole(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def mean(self):
        """The mean, m."""
        return self.loc

    @property
    def mode(self):
        """The mode, m."""
        return self.loc

    @lazy_property
    def variance(self):
        """Return the diagonal of the covariance matrix."""
        of_factor = self._unbroadcasted_cov_factor.pow(2).sum(-1)
        whole = self._batch_shape + self._event_shape
        return (of_factor + self._unbroadcasted_cov_diag).expand(whole)

    @lazy_property
    def scale_tril(self):
        """Return the Cholesky factor of the covariance matrix.

        It is √D times the Cholesky factor of 1 + D^-½ W Wᵀ D^-½.
        """
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        return self._whole(root * cholesky(_one_plus(scaled @ scaled.mT)))

    @lazy_property
    def covariance_matrix(self):
        """Return W Wᵀ + D."""
        factor = self._unbroadcasted_cov_factor
        return self._whole(factor @ factor.mT + self._unbroadcasted_cov_diag.diag_embed())

    @lazy_property
    def precision_matrix(self):
        """Return the inverse of the covariance matrix."""
        part = solve_lower(self._capacitance_tril, self._weighted)
        diagonal = self._unbroadcasted_cov_diag.reciprocal().diag_embed()
        return self._whole(diagonal - part.mT @ part)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters."""
        shape, dtype = self._extended_shape(sample_shape), self.loc.dtype
        x = standard_normal(shape[:-1] + self.cov_factor.shape[-1:], dtype)
        y = standard_normal(shape, dtype)
        of_factor = multiply(self._unbroadcasted_cov_factor, x)
        return self.loc + of_factor + self._unbroadcasted_cov_diag.sqrt() * y

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return Distribution.sample(self, sample_shape)

    def _log_density(self, value):
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + self._log_det() + self._squared_length(value - self.loc))

    def entropy(self):
        """Return the entropy, (n (1 + log 2π) + log det C) / 2, with the covariance C."""
        constant = self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        entropy = 0.5 * (constant + self._log_det())
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
