"""The Wishart distribution."""

import math
import warnings

from minitorch.autograd.functions.creation import arange, eye, tril_indices
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.random import randn
from minitorch.composed.broadcasting import broadcast_shapes
from minitorch.core.types import Size
from minitorch.distributions import constraints
from minitorch.distributions.chi2 import Chi2
from minitorch.distributions.distribution import Distribution, Family
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.multivariate_normal import (
    exactly_one_matrix,
    half_log_det,
    scale_of,
)
from minitorch.distributions.utils import is_number, lazy_property
from minitorch.tensors.type_info import finfo

__all__ = ["Wishart"]

_LOG_2 = math.log(2)


def _mvdigamma(x, p):
    """Return the derivative of the log of the multivariate gamma function."""
    if not (x > (p - 1) / 2).all():
        raise AssertionError("Wrong domain for multivariate digamma function.")
    return (x.unsqueeze(-1) - arange(p, dtype=x.dtype) / 2).digamma().sum(-1)


class Wishart(Family, ExponentialFamily):
    """The sum of x xᵀ over `df` independent normal vectors x with mean 0.

    Parameters
    ----------
    df : number or Tensor
        The degrees of freedom, more than p - 1; not necessarily an integer.
    covariance_matrix : Tensor, optional
        The covariance matrix V of the vectors, of shape (..., p, p).
    precision_matrix : Tensor, optional
        The inverse of V.
    scale_tril : Tensor, optional
        The Cholesky factor L of V.
    validate_args : bool, optional

    Notes
    -----
    Samples are L A Aᵀ Lᵀ. A is lower triangular, with standard normal numbers below the diagonal
    and square roots of chi-squared variables on it [1].

    References
    ----------
    .. [1] Odell and Feiveson, A numerical procedure to generate a sample covariance matrix, 1966.

    Examples
    --------
    >>> import minitorch as torch
    >>> p = torch.distributions.Wishart(torch.tensor(3.0), torch.eye(2))
    >>> p.mean
    tensor([[3., 0.],
            [0., 3.]])
    >>> p.sample().shape
    torch.Size([2, 2])
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _tensors = ("df", "covariance_matrix", "scale_tril", "precision_matrix",
                "_unbroadcasted_scale_tril")  # fmt: skip

    @property
    def arg_constraints(self):
        """The constraints of the parameters, by parameter name."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df,
        covariance_matrix=None,
        precision_matrix=None,
        scale_tril=None,
        validate_args=None,
    ):
        name, matrix = exactly_one_matrix(
            AssertionError,
            covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix,
            scale_tril=scale_tril,
        )
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch dimensions"
            )
        if is_number(df):
            batch_shape = Size(matrix.shape[:-2])
            self.df = tensor(df, dtype=matrix.dtype)
        else:
            batch_shape = broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        p = matrix.shape[-1]
        if (self.df <= p - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {p - 1}.")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if (self.df < p).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for "
                "ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        Distribution.__init__(self, batch_shape, matrix.shape[-2:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = scale_of(name, matrix)
        self._dist_chi2 = self._diagonal()

    def _diagonal(self):
        """Return the distribution of the squared diagonal elements of A."""
        p, dtype = self._event_shape[-1], self._unbroadcasted_scale_tril.dtype
        lost = arange(p, dtype=dtype).expand(self._batch_shape + (-1,))
        return Chi2(df=self.df.unsqueeze(-1) - lost)

    def expand(self, batch_shape, _instance=None):
        """Return the distribution with its batch shape expanded."""
        own = self._unbroadcasted_scale_tril
        # expand it to the batch shape, as the other tensors are
        self._unbroadcasted_scale_tril = own.expand(self._batch_shape + self._event_shape)
        new = super().expand(batch_shape, _instance)
        self._unbroadcasted_scale_tril = own
        new._dist_chi2 = new._diagonal()
        return new

    def _whole(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        """Return the Cholesky factor L of V."""
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        """Return the covariance matrix V of the vectors."""
        scale = self._unbroadcasted_scale_tril
        return self._whole(scale @ scale.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self):
        """Return the inverse of the covariance matrix."""
        scale = self._unbroadcasted_scale_tril
        return self._whole(eye(self._event_shape[-1], dtype=scale.dtype).cholesky_solve(scale))

    def _per_matrix(self, numbers):
        return numbers.view(self._batch_shape + (1, 1))

    @property
    def mean(self):
        """The mean, df V."""
        return self._per_matrix(self.df) * self.covariance_matrix

    @property
    def mode(self):
        """The mode, (df - p - 1) V; nan unless df > p + 1."""
        factor = self.df - self._event_shape[-1] - 1
        factor[factor <= 0] = math.nan
        return self._per_matrix(factor) * self.covariance_matrix

    @property
    def variance(self):
        """The variance of each element, df (V_ij² + V_ii V_jj)."""
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        outer = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self._per_matrix(self.df) * (covariance.pow(2) + outer)

    def _bartlett(self, sample_shape):
        p = self._event_shape[-1]
        root = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = root.clamp(min=finfo(root.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = tril_indices(p, p, offset=-1)
        shape = Size(sample_shape) + self._batch_shape + (p * (p - 1) // 2,)
        noise[..., i, j] = randn(shape, dtype=noise.dtype)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.transpose(-2, -1)

    def _marked(self, marks):
        dims = [-(k + 1) for k in range(len(self._batch_shape))]
        return marks.amax(dims) if dims else marks

    def rsample(self, sample_shape=Size(), max_try_correction=None):  # noqa: B008
        """Draw a reparametrized sample, through which gradients flow to the parameters.

        Parameters
        ----------
        sample_shape : Size
        max_try_correction : int, default 10
            The maximum number of times that singular matrices are drawn again.

        Notes
        -----
        As in PyTorch, the first pass redraws the matrices that are *not* singular, so that the
        random numbers agree.
        """
        sample_shape = Size(sample_shape)
        sample = self._bartlett(sample_shape)
        again = self._marked(self.support.check(sample))
        if not again.any():
            return sample
        warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            new = self._bartlett(again[again].shape)
            sample[again] = new
            # the backward pass saves the mask, so it must not be modified
            still = again.clone()
            still[again] = self._marked(~self.support.check(new))
            again = still
            if not again.any():
                break
        return sample

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Draw a sample without recording a history."""
        return Distribution.sample(self, sample_shape)

    def _log_density(self, value):
        df, p, scale = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        traced = value.cholesky_solve(scale).diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return (
            -df * (p * _LOG_2 / 2 + half_log_det(scale))
            - (df / 2).mvlgamma(p)
            + (df - p - 1) / 2 * value.slogdet().logabsdet
            - traced / 2
        )

    def entropy(self):
        """Return the entropy in nats."""
        df, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * (p * _LOG_2 / 2 + half_log_det(self._unbroadcasted_scale_tril))
            + (df / 2).mvlgamma(p)
            - (df - p - 1) / 2 * _mvdigamma(df / 2, p)
            + df * p / 2
        )

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        half_df = y + (p + 1) / 2
        return half_df * (-(-2 * x).slogdet().logabsdet + _LOG_2 * p) + half_df.mvlgamma(p)
