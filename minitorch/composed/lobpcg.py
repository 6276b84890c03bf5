"""LOBPCG: a few extreme eigenvalues of a large symmetric matrix.

Reference: A. V. Knyazev, "Toward the optimal preconditioned eigensolver: locally optimal block
preconditioned conjugate gradient method" (2001). Bases are orthonormalized by the method of A.
Stathopoulos and K. Wu, "A block orthogonalization procedure with constant synchronization
requirements" (2002).
PyTorch's counterpart is ``torch/_lobpcg.py``.
"""

from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.random import randn
from minitorch.composed.matrix_decompositions import linalg_eigh
from minitorch.composed.optional_matrices import (
    bform,
    get_floating_dtype,
    is_sparse,
    matmul,
    qform,
    symeig,
)
from minitorch.tensors.type_info import finfo

__all__ = ["lobpcg"]


class LOBPCG:
    """The iteration on one matrix; the `tracker` function receives this object.

    Attributes
    ----------
    A, B, iK : Tensor or None
        The matrices; None means the identity.
    X, E, R : Tensor
        (m, n) vectors, (n,) values, (m, n) residuals. The first `k` are the result.
    iparams, fparams, bparams : dict
        The options: ``m``, ``n``, ``k``, ``niter``; ``tol``; ``largest``.
    ivars, fvars, bvars, tvars : dict
        The state of the iteration, which stops when a tracker sets ``bvars["force_stop"]``.
    """

    def __init__(self, A, B, X, iK, iparams, fparams, bparams, method, tracker):
        self.A, self.B, self.iK = A, B, iK
        self.iparams, self.fparams, self.bparams = iparams, fparams, bparams
        self.method, self.tracker = method, tracker
        self.ivars = {"istep": 1, "iterations_left": iparams["niter"], "converged_count": 0}
        self.fvars = {
            "A_norm": float(matmul(A, X).norm() / X.norm()),
            "B_norm": float(matmul(B, X).norm() / X.norm()),
        }
        self.bvars = {"force_stop": False}
        self.tvars = {}
        self.P = X[:, :0]
        columns = self._orthonormal(X)
        if columns.shape[1] < iparams["n"]:
            raise RuntimeError("lobpcg: the columns of X are linearly dependent")
        self._project(columns)

    def run(self):
        """Iterate until the first `k` eigenpairs have converged or ``niter`` steps are done."""
        while True:
            self._measure()
            if self.tracker is not None:
                self.tracker(self)
            enough = self.ivars["converged_count"] >= self.iparams["k"]
            if enough or self.bvars["force_stop"] or self.ivars["iterations_left"] == 0:
                return
            self._step()
            self.ivars["istep"] += 1
            self.ivars["iterations_left"] -= 1

    def _measure(self):
        """Compute the residuals and count how many leading eigenpairs have converged."""
        n = self.iparams["n"]
        self.R = matmul(self.A, self.X) - matmul(self.B, self.X) * self.E
        scale = self.fvars["A_norm"] + self.E.abs() * self.fvars["B_norm"]
        error = self.R.norm(2, 0) / (self.X.norm(2, 0) * scale)
        small = (error <= self.fparams["tol"]).tolist()
        self.tvars["rerr"] = error
        self.ivars["converged_count"] = small.index(False) if False in small else n

    def _step(self):
        """Find the best vectors in the span of `X`, the residuals and the last directions."""
        X, n = self.X, self.iparams["n"]
        more = _ops.cat([matmul(self.iK, self.R), self.P], -1)
        for _ in range(2):
            more = more - X.matmul(bform(X, self.B, more))
            more = self._orthonormal(more)
        Z = self._project(_ops.cat([X, more], -1))
        self.P = more.matmul(Z[n:])

    def _project(self, S):
        """Set `E` and `X` to the extreme eigenpairs in the span of S; return their coordinates."""
        E, Z = symeig(qform(self.A, S), self.bparams["largest"])
        n = self.iparams["n"]
        self.E, Z = E[:n], Z[:, :n]
        self.X = S.matmul(Z)
        return Z

    def _orthonormal(self, U):
        """Return a B-orthonormal basis of the span of U's columns, which may have fewer columns."""
        G = qform(self.B, U)
        d = G.diagonal().clamp(min=finfo(U.dtype).tiny).rsqrt()
        E, Z = linalg_eigh(d.unsqueeze(1) * G * d)
        kept = E > E.max() * E.shape[0] * finfo(U.dtype).eps
        return U.matmul(d.unsqueeze(1) * Z[:, kept] * E[kept].rsqrt())


class _Lobpcg(Function):
    """The eigenpairs of A, differentiable with respect to A."""

    @staticmethod
    def forward(ctx, A, B, k, solve):
        """Return E and X as computed by `solve`."""
        E, X = solve(A.detach())
        ctx.save_for_backward(A, E, X)
        ctx.generalized = B is not None
        return E, X

    @staticmethod
    def backward(ctx, grad_E, grad_X):
        """Compute A's gradient by perturbation theory, which assumes simple eigenvalues."""
        A, E, X = ctx.saved_tensors
        if is_sparse(A):
            raise ValueError(
                "lobpcg.backward does not support sparse input yet.Note that lobpcg.forward does though."
            )
        if ctx.generalized:
            raise ValueError("lobpcg.backward does not support backward with B != I yet.")
        values, vectors = linalg_eigh(A)
        distance = E.unsqueeze(-2) - values.unsqueeze(-1)
        near = distance.abs() <= 1e-6 * values.abs().amax(-1, True).unsqueeze(-1)
        weight = _ops.where(near, 0, 1 / _ops.where(near, 1, distance))
        turned = vectors.matmul(weight * vectors.mH.matmul(grad_X))
        return (X * grad_E.unsqueeze(-2) + turned).matmul(X.mH), None, None, None


def _of(matrices, place):
    """Return the matrix at `place` in a batch, or None for None."""
    return None if matrices is None else matrices[place]


def _solve_all(A, B, X, iK, *options):
    """Compute the eigenpairs of each matrix of a batch."""
    if A.dim() == 2:
        worker = LOBPCG(A, B, X, iK, *options)
        worker.run()
        k = worker.iparams["k"]
        return worker.E[:k], worker.X[:, :k]
    pairs = [
        _solve_all(A[i], _of(B, i), X[i], iK if iK is None or iK.dim() == 2 else iK[i], *options)
        for i in range(A.shape[0])
    ]
    return _ops.stack([E for E, _ in pairs]), _ops.stack([V for _, V in pairs])


def lobpcg(
    A,
    k=None,
    B=None,
    X=None,
    n=None,
    iK=None,
    niter=None,
    tol=None,
    largest=None,
    method=None,
    tracker=None,
    ortho_iparams=None,
    ortho_fparams=None,
    ortho_bparams=None,
):
    """Compute the largest or smallest eigenpairs of a symmetric matrix iteratively.

    Solves ``A x = e B x`` for a positive definite B.

    Parameters
    ----------
    A : Tensor
        ``(*, m, m)``, symmetric, dense or sparse.
    k : int, optional
        The number of eigenpairs; default: the number of columns of X, else 1.
    B : Tensor, optional
        ``(*, m, m)``; default: the identity.
    X : Tensor, optional
        ``(*, m, n)``, the initial vectors; default: random.
    n : int, optional
        The number of vectors to iterate on when X is not given; default: `k`.
    iK : Tensor, optional
        ``(*, m, m)``, the preconditioner: an approximate inverse of A that multiplies
        residuals.
    niter : int, optional
        The maximal number of iterations; -1 means no limit. Default: 1000.
    tol : float, optional
        The tolerance for the relative residual; default: the square root of the dtype's eps.
    largest : bool, optional
        Whether to find the largest eigenvalues or the smallest; default: True.
    method : str, optional
        ``"basic"`` or ``"ortho"``; ignored, because bases are orthonormalized for both.
    tracker : callable, optional
        Called with the `LOBPCG` object before each step.
    ortho_iparams, ortho_fparams, ortho_bparams : dict, optional
        Ignored.

    Returns
    -------
    tuple of Tensor
        E ``(*, k)``, the most extreme eigenvalue first, and X ``(*, m, k)``. Both are
        differentiable with respect to a dense A when B is None.

    Raises
    ------
    ValueError
        If m is less than three times n.
    RuntimeError
        If the columns of X are linearly dependent.

    Examples
    --------
    >>> import minitorch as torch
    >>> E, X = torch.lobpcg(torch.diag(torch.arange(1.0, 11.0)), k=2)
    >>> E.round(decimals=3)
    tensor([10.,  9.])
    """
    m = A.shape[-1]
    dtype = get_floating_dtype(A)
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if n is None else n) if X is None else X.shape[-1]
    if m < 3 * n:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number "
            f"of requested eigenpairs (={n})"
        )
    if method not in (None, "basic", "ortho"):
        raise ValueError(f"method must be 'basic' or 'ortho', not {method!r}")
    if X is None:
        X = randn((*A.shape[:-2], m, n), dtype=dtype)
    assert X.shape[-2:] == (m, n), f"X shape mismatch: got {X.shape}, expected {(m, n)}"
    iparams = {"m": m, "n": n, "k": k, "niter": 1000 if niter is None else niter}
    fparams = {"tol": finfo(dtype).eps ** 0.5 if tol is None else tol}
    bparams = {"largest": True if largest is None else largest}

    def solve(A):
        return _solve_all(A, B, X, iK, iparams, fparams, bparams, method, tracker)

    return _Lobpcg.apply(A, B, k, solve)


LOBPCG.__module__ = lobpcg.__module__ = "minitorch._lobpcg"
