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
    """Return an approximate singular value decomposition of low rank, by random projection.

    The random numbers follow from `torch.manual_seed`.

    Parameters
    ----------
    A : Tensor
        Matrices of the shape ``(*, m, n)``.
    q : int, default 6
        A slight overestimate of the rank.
    niter : int, default 2
        The number of steps that sharpen the result.
    M : Tensor, optional
        Subtract this from `A` first.

    Returns
    -------
    U, S, V : Tensor
        The shapes ``(*, m, q)``, ``(*, q)`` and ``(*, n, q)``; the product ``U @ diag(S) @ V.mH``
        approximates `A`.

    References
    ----------
    N. Halko et al., Finding structure with randomness, SIAM Review 2011, algorithm 5.1.

    Examples
    --------
    >>> import minitorch as torch
    >>> A = torch.outer(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 1.0, 2.0]))
    >>> U, S, V = torch.svd_lowrank(A, q=1)
    >>> bool(torch.allclose(U @ torch.diag(S) @ V.mT, A, atol=1e-5))
    True
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
    """Return the principal components of rows, approximately, by random projection.

    The random numbers follow from `torch.manual_seed`.

    Parameters
    ----------
    A : Tensor
        Matrices of the shape ``(*, m, n)``.
    q : int, optional
        A slight overestimate of the rank.
    center : bool, default True
        Subtract the mean of each column first.
    niter : int, default 2
        The number of steps that sharpen the result.

    Returns
    -------
    U, S, V : Tensor
        The shapes ``(*, m, q)``, ``(*, q)`` and ``(*, n, q)``; the product ``U @ diag(S) @ V.mH``
        approximates the centered `A`.

    Raises
    ------
    ValueError
        If `q` is not between 0 and the smaller size, or `niter` is negative.

    References
    ----------
    N. Halko et al., Finding structure with randomness, SIAM Review 2011, algorithm 5.1.

    Examples
    --------
    >>> import minitorch as torch
    >>> U, S, V = torch.pca_lowrank(torch.eye(4, 3), q=2)
    >>> U.shape, S.shape, V.shape
    (torch.Size([4, 2]), torch.Size([2]), torch.Size([3, 2]))
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
