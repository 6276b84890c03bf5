"""Approximate low-rank decompositions by random projections.

Reference: N. Halko, P. G. Martinsson and J. A. Tropp, "Finding structure with randomness" (2009),
algorithms 4.4 and 5.1. PyTorch's counterpart is ``torch/_lowrank.py``.
"""

from minitorch.autograd.functions.random import randn
from minitorch.composed.matrix_decompositions import linalg_qr, linalg_svd
from minitorch.core.dtype import _dtypes

__all__ = ["pca_lowrank", "svd_lowrank"]

float16, float32, float64 = (_dtypes()[name] for name in ("float16", "float32", "float64"))


def get_approximate_basis(A, q, niter=2, M=None):
    """Return orthonormal columns whose span approximates the range of a matrix.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    q : int
        The number of columns.
    niter : int, optional
        The number of subspace iterations.
    M : Tensor, optional
        Subtracted from A.
    """
    floating = A.is_complex() or A.dtype in (float16, float32, float64)
    R = randn(A.size(-1), q, dtype=A.dtype if floating else float32)
    Q = linalg_qr(_of_difference(A, M, R)).Q
    for _ in range(2 if niter is None else niter):
        Q = linalg_qr(_of_difference(A, M, Q, adjoint=True)).Q
        Q = linalg_qr(_of_difference(A, M, Q)).Q
    return Q


def _of_difference(A, M, Q, adjoint=False):
    """Return ``(A - M) Q`` or ``(A - M)^H Q`` without forming A - M; A may be sparse."""
    product = (A.mH if adjoint else A).matmul(Q)
    return product if M is None else product - (M.mH if adjoint else M).matmul(Q)


def svd_lowrank(A, q=6, niter=2, M=None):
    """Approximate the largest singular values of a matrix and their vectors.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    q : int
        The number of values, slightly more than the expected rank.
    niter : int, optional
        The number of subspace iterations.
    M : Tensor, optional
        Subtracted from A; broadcast.

    Returns
    -------
    tuple of Tensor
        U ``(*, m, q)``, S ``(*, q)`` and V ``(*, n, q)``.
    """
    q = 6 if q is None else q
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.shape)
    wide = m < n
    if wide:
        A, M = A.mH, None if M is None else M.mH
    Q = get_approximate_basis(A, q, niter, M)
    B = Q.mH.matmul(A)
    if M is not None:
        B = B - Q.mH.matmul(M)
    U, S, Vh = linalg_svd(B, full_matrices=False)
    V = Vh.mH
    U = Q.matmul(U)
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    """Approximate the principal components of the rows of a matrix.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    q : int, optional
        The number of components; default min(6, m, n).
    center : bool
        Whether to subtract the mean of the rows first.
    niter : int
        See `svd_lowrank`.

    Returns
    -------
    tuple of Tensor
        U, S and V as returned by `svd_lowrank`.
    """
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}"
        )
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not center:
        return svd_lowrank(A, q, niter)
    if A.is_sparse:
        A = A.to_dense()
    return svd_lowrank(A - A.mean(-2, True), q, niter)


svd_lowrank.__module__ = pca_lowrank.__module__ = "minitorch._lowrank"
