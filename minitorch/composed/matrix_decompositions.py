"""QR, eigenvalue and singular value decompositions, least squares and the pseudoinverse.

A function named ``linalg_name`` is ``minitorch.linalg.name``.
"""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.composed.linalg_support import check_tolerances, is_tensor, tolerances
from minitorch.core.once import warn_once
from minitorch.core.return_types import result_class
from minitorch.tensors.gradient_checks import needs_gradient

__all__ = ["orgqr", "pinverse", "qr", "svd"]

_Eigh = result_class("linalg_eigh", ["eigenvalues", "eigenvectors"])
_Qr = result_class("qr", ["Q", "R"])
_Svd = result_class("linalg_svd", ["U", "S", "Vh"])
_OldSvd = result_class("svd", ["U", "S", "V"])

# --------------------------------------------------------------------------------------------------
# QR, eigenvalues, singular values
# --------------------------------------------------------------------------------------------------


def _of_matrices(A, name):
    """Return `A`; raise the operator's own error before a node reads sizes for its formula."""
    if A.dim() < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    return A


def linalg_qr(A, mode="reduced", *, out=None):
    """Compute the QR decomposition.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    mode : str
        "reduced": Q has min(m, n) columns; "complete": Q has m columns; "r": Q is empty.

    Returns
    -------
    named tuple
        Q with orthonormal columns, and R, upper triangular.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.qr(torch.tensor([[3.0], [4.0]])).R
    tensor([[-5.]])
    """
    return deliver("linalg_qr", _rows.linalg_qr(_of_matrices(A, "qr"), mode), out)


def qr(input, some=True, *, out=None):
    """Return the QR decomposition of matrices, under a deprecated name.

    Use :func:`torch.linalg.qr` instead.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, m, n)``.
    some : bool, default True
        Return the first ``min(m, n)`` columns of Q only.
    out : tuple of Tensor, optional
        The tensors to write the results into.

    Returns
    -------
    Q, R : Tensor
        Orthogonal columns and an upper triangle, whose product is `input`.

    Raises
    ------
    RuntimeError
        If the input has fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> Q, R = torch.qr(torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> bool(torch.allclose(Q @ R, torch.tensor([[3.0, 1.0], [4.0, 2.0]])))
    True
    """
    warn_once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future "
        "PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter "
        "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\n"
        "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
        stacklevel=2,
    )
    return deliver("qr", _Qr(linalg_qr(input, "reduced" if some else "complete")), out)


def linalg_householder_product(input, tau, *, out=None):
    """Return the first columns of a product of Householder reflections.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``: the reflectors below the diagonal, as returned by geqrf.
    tau : Tensor
        ``(*, k)``, k at most n.

    Returns
    -------
    Tensor
        ``(*, m, n)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.householder_product(torch.zeros(2, 1), torch.tensor([2.0]))
    tensor([[-1.],
            [-0.]])
    """
    return deliver("linalg_householder_product", _rows.linalg_householder_product(input, tau), out)


def orgqr(input, input2, *, out=None):
    """Return the product of Householder reflections, under another name of `linalg.householder_product`.

    Parameters
    ----------
    input : Tensor
        The vectors, of the shape ``(*, m, n)``, as `torch.geqrf` returns them.
    input2 : Tensor
        Their factors, of the shape ``(*, k)``.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The first n columns of the product, of the shape ``(*, m, n)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, tau = torch.geqrf(torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> Q = torch.orgqr(a, tau)
    >>> bool(torch.allclose(Q.T @ Q, torch.eye(2), atol=1e-6))
    True
    """
    return linalg_householder_product(input, input2, out=out)


def linalg_eigh(A, UPLO="L", *, out=None):
    """Return the eigenvalues and eigenvectors of a Hermitian matrix.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.
    UPLO : str
        The triangle to read, "L" or "U".

    Returns
    -------
    named tuple
        eigenvalues ``(*, n)``, real and ascending, and eigenvectors ``(*, n, n)``, in columns.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.eigh(torch.diag(torch.tensor([2.0, 1.0]))).eigenvalues
    tensor([1., 2.])
    """
    return deliver("linalg_eigh", _Eigh(_rows._linalg_eigh(A, UPLO)), out)


def linalg_eigvalsh(input, UPLO="L", *, out=None):
    """Return the eigenvalues of a Hermitian matrix in ascending order.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``.
    UPLO : str
        The triangle to read, "L" or "U".

    Returns
    -------
    Tensor
        ``(*, n)``, real.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.eigvalsh(torch.diag(torch.tensor([2.0, 1.0])))
    tensor([1., 2.])
    """
    values, _ = _rows._linalg_eigh(input, UPLO, needs_gradient(input))
    return deliver("linalg_eigvalsh", values, out)


def linalg_eig(input, *, out=None):
    """Return the eigenvalues and eigenvectors of a square matrix.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``, finite.

    Returns
    -------
    named tuple
        eigenvalues ``(*, n)`` and eigenvectors ``(*, n, n)``, complex and not sorted.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.eig(torch.tensor([[0.0, -1.0], [1.0, 0.0]])).eigenvalues
    tensor([0.+1.j, 0.-1.j])
    """
    return deliver("linalg_eig", _rows.linalg_eig(input), out)


def linalg_eigvals(input, *, out=None):
    """Return the eigenvalues of a square matrix.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``, finite.

    Returns
    -------
    Tensor
        ``(*, n)``, complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.eigvals(torch.tensor([[0.0, -1.0], [1.0, 0.0]]))
    tensor([0.+1.j, 0.-1.j])
    """
    if needs_gradient(input):
        return deliver("linalg_eigvals", _rows.linalg_eig(input)[0], out)
    return deliver("linalg_eigvals", _rows._linalg_eigvals(input), out)


def linalg_svd(A, full_matrices=True, *, driver=None, out=None):
    """Compute the singular value decomposition A = U S Vh.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    full_matrices : bool
        Whether U is ``(*, m, m)`` and Vh ``(*, n, n)``. Otherwise, U has k = min(m, n) columns
        and Vh k rows.
    driver : str, optional
        Must be None.

    Returns
    -------
    named tuple
        U, S ``(*, k)``, real and descending, and Vh.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.svd(torch.diag(torch.tensor([1.0, 2.0]))).S
    tensor([2., 1.])
    """
    return deliver(
        "linalg_svd",
        _Svd(_rows._linalg_svd(_of_matrices(A, "svd"), full_matrices, driver=driver)),
        out,
    )


def linalg_svdvals(A, *, driver=None, out=None):
    """Return the singular values in descending order.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    driver : str, optional
        Must be None.

    Returns
    -------
    Tensor
        ``(*, min(m, n))``, real.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.svdvals(torch.diag(torch.tensor([1.0, 2.0])))
    tensor([2., 1.])
    """
    values = _rows._linalg_svd(_of_matrices(A, "svd"), False, needs_gradient(A), driver=driver)[1]
    return deliver("linalg_svdvals", values, out)


def svd(input, some=True, compute_uv=True, *, out=None):
    """Return the singular value decomposition of matrices, under a deprecated name.

    Use :func:`torch.linalg.svd` instead, which returns the adjoint of V.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, m, n)``.
    some : bool, default True
        Return the first ``k = min(m, n)`` columns of U and V only.
    compute_uv : bool, default True
        Otherwise, U and V are zeros.
    out : tuple of Tensor, optional
        The tensors to write the results into.

    Returns
    -------
    U, S, V : Tensor
        The shapes ``(*, m, k)``, ``(*, k)`` and ``(*, n, k)``; ``input = U @ diag(S) @ V.mH``.

    Raises
    ------
    LinAlgError
        If the iteration does not converge.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.svd(torch.diag(torch.tensor([3.0, 4.0]))).S
    tensor([4., 3.])
    """
    if input.dim() < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input.dim()} dimensions instead"
        )
    if not compute_uv:
        S = linalg_svdvals(input)
        *batch, m, n = input.shape
        zeros = [input.new_zeros((*batch, k, k)) for k in (m, n)]
        return deliver("svd", _OldSvd((zeros[0], S, zeros[1].mH)), out)
    U, S, Vh = _rows._linalg_svd(_of_matrices(input, "svd"), not some)
    return deliver("svd", _OldSvd((U, S, Vh.mH)), out)


# --------------------------------------------------------------------------------------------------
# Least squares and pseudoinverse
# --------------------------------------------------------------------------------------------------


def linalg_lstsq(input, b, rcond=None, *, driver=None, out=None):
    """Find the X that minimizes the norm of A X - B.

    Parameters
    ----------
    input : Tensor
        A, ``(*, m, n)``.
    b : Tensor
        B, ``(*, m, k)``, or ``(*, m)`` for vectors.
    rcond : float, optional
        Singular values below rcond times the largest count as 0; default: the dtype's eps times
        max(m, n).
    driver : str, optional
        LAPACK's driver: "gelsy" (default), "gels", which requires full rank, "gelsd" or
        "gelss".

    Returns
    -------
    named tuple
        solution, residuals (squared, if m > n and the rank is full), rank and singular_values;
        results that the driver does not compute are empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> A, B = torch.tensor([[1.0], [1.0]]), torch.tensor([[1.0], [3.0]])
    >>> torch.linalg.lstsq(A, B).solution
    tensor([[2.0000]])
    """
    return deliver("linalg_lstsq", _rows.linalg_lstsq(input, b, rcond, driver=driver), out)


def linalg_pinv(input, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None):
    """Return the pseudoinverse.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``.
    rcond : float or Tensor, optional
        An older name of `rtol`.
    hermitian : bool
        Whether the matrix is Hermitian, which is faster.
    atol, rtol : float or Tensor, optional
        Singular values of at most max(atol, rtol * the largest singular value) count as 0. The
        default of rtol is the dtype's eps times max(m, n), or 0 if atol is given and positive.

    Returns
    -------
    Tensor
        ``(*, n, m)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.pinv(torch.tensor([[2.0], [0.0]]))
    tensor([[0.5000, 0.0000]])
    """
    name = "rtol"
    if rcond is not None:
        atol, rtol, name = None if is_tensor(rcond) else 0.0, rcond, "rcond"
    elif atol is None and rtol is not None and not is_tensor(rtol):
        atol = 0.0
    names = "pinv: atol", f"pinv: {name}"
    if atol is not None or rcond is not None:
        atol, rtol = tolerances(input, atol, rtol, names)
    else:
        check_tolerances(atol, rtol, names)
    return deliver(
        "linalg_pinv", _rows.linalg_pinv(input, atol=atol, rtol=rtol, hermitian=hermitian), out
    )


def pinverse(input, rcond=1e-15):
    """Return the pseudo-inverse of matrices.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, m, n)``.
    rcond : float, default 1e-15
        Singular values below this part of the largest count as 0.

    Returns
    -------
    Tensor
        The shape ``(*, n, m)``.

    Raises
    ------
    RuntimeError
        If the input has fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.pinverse(torch.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    return linalg_pinv(input, rcond)
