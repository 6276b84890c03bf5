"""Cholesky, LU and LDL factorizations.

A function named ``linalg_name`` is ``minitorch.linalg.name``.
"""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.composed.linalg_support import check_errors
from minitorch.core.once import warn_once
from minitorch.core.return_types import result_class

__all__ = ["lu", "lu_solve"]

_LdlFactor = result_class("linalg_ldl_factor", ["LD", "pivots"])
_LuWithInfo = result_class("_lu_with_info", ["LU", "pivots", "info"])
_LuFactor = result_class("linalg_lu_factor", ["LU", "pivots"])


# --------------------------------------------------------------------------------------------------
# Cholesky and LU
# --------------------------------------------------------------------------------------------------


def linalg_cholesky(input, *, upper=False, out=None):
    """Return the lower triangular L of A = L L.H.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``, Hermitian and positive-definite; only one triangle is read.
    upper : bool
        Whether to return L.H instead.

    Returns
    -------
    Tensor
        ``(*, n, n)``.

    Raises
    ------
    LinAlgError
        If a matrix is not positive-definite.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    L, info = _rows.linalg_cholesky_ex(input, upper=upper)
    check_errors(info, "linalg.cholesky", input.dim() == 2)
    return deliver("linalg_cholesky", L, out)


def linalg_cholesky_ex(input, *, upper=False, check_errors=False, out=None):
    """Return the Cholesky factor and LAPACK's info, without raising on failure.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``.
    upper : bool
        Whether to return L.H instead.
    check_errors : bool
        Whether to raise for a matrix that is not positive-definite.

    Returns
    -------
    named tuple
        L ``(*, n, n)`` and info ``(*)``: the order of the first leading minor that is not positive.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.cholesky_ex(-torch.eye(2)).info
    tensor(1, dtype=torch.int32)
    """
    result = _rows.linalg_cholesky_ex(input, upper=upper, check_errors=check_errors)
    return deliver("linalg_cholesky_ex", result, out)


def linalg_lu(A, *, pivot=True, out=None):
    """Return the factors P, L and U of A = P L U.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    pivot : bool
        Must be True.

    Returns
    -------
    named tuple
        P ``(*, m, m)``, L ``(*, m, k)`` with ones on the diagonal, U ``(*, k, n)``; k = min(m, n).

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.lu(torch.tensor([[1.0, 2.0], [2.0, 2.0]])).U
    tensor([[2., 2.],
            [0., 1.]])
    """
    return deliver("linalg_lu", _rows.linalg_lu(A, pivot=pivot), out)


def linalg_lu_factor(A, *, pivot=True, out=None):
    """Return the LU factorization in one matrix, and its pivots.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    pivot : bool
        Must be True.

    Returns
    -------
    named tuple
        LU ``(*, m, n)`` and pivots ``(*, min(m, n))``, int32: the row, counted from 1, that
        each row was swapped with.

    Raises
    ------
    RuntimeError
        If U has a zero on its diagonal.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.lu_factor(torch.tensor([[1.0, 2.0], [2.0, 2.0]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
    LU, pivots, info = _rows.linalg_lu_factor_ex(A, pivot=pivot)
    check_errors(info, "torch.linalg.lu_factor", A.dim() == 2)
    return deliver("linalg_lu_factor", _LuFactor((LU, pivots)), out)


def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    """Return the LU factorization and LAPACK's info, without raising on failure.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    pivot : bool
        Must be True.
    check_errors : bool
        Whether to raise for a zero on the diagonal of U.

    Returns
    -------
    named tuple
        LU, pivots and info ``(*)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.lu_factor_ex(torch.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    result = _rows.linalg_lu_factor_ex(A, pivot=pivot, check_errors=check_errors)
    return deliver("linalg_lu_factor_ex", result, out)


def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    """Solve A X = B for a factored A.

    Parameters
    ----------
    LU, pivots : Tensor
        The results of `lu_factor`.
    B : Tensor
        ``(*, n, k)``.
    left : bool
        If False, solve X A = B.
    adjoint : bool
        Whether to use A.H instead of A.

    Returns
    -------
    Tensor
        ``(*, n, k)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> A = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    >>> torch.linalg.lu_solve(*torch.linalg.lu_factor(A), torch.tensor([[3.0], [5.0]]))
    tensor([[0.8000],
            [1.4000]])
    """
    result = _rows.linalg_lu_solve(LU, pivots, B, left=left, adjoint=adjoint)
    return deliver("linalg_lu_solve", result, out)


def lu(A, pivot=True, get_infos=False, out=None):
    """Return the LU decomposition of matrices in one tensor, with the pivots.

    Use :func:`torch.linalg.lu_factor` instead.

    Parameters
    ----------
    A : Tensor
        The shape ``(*, m, n)``.
    pivot : bool, default True
        Exchange rows.
    get_infos : bool, default False
        Return where the decomposition failed instead of raising.
    out : tuple of Tensor, optional
        The tensors to write the results into.

    Returns
    -------
    tuple of Tensor
        L and U in one tensor of the shape of `A`, the pivots (int32, counted from 1), and perhaps the infos
        (int32).

    Raises
    ------
    RuntimeError
        If the input has fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.lu(torch.tensor([[2.0, 1.0], [4.0, 4.0]]))[0]
    tensor([[ 4.0000,  4.0000],
            [ 0.5000, -1.0000]])
    """
    warn_once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and "
        "will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\n"
        "should be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
        stacklevel=2,
    )
    LU, pivots, info = _lu_with_info(A, pivot=pivot)
    if get_infos:
        return deliver("lu", _LuWithInfo((LU, pivots, info)), out)
    return deliver("lu", (LU, pivots), out)


@parsed_as("_lu_with_info")
def _lu_with_info(input, pivot=True):
    return _rows.linalg_lu_factor_ex(input, pivot=pivot)


def lu_solve(input, LU_data, LU_pivots, *, out=None):
    """Solve linear equations with an LU decomposition, under a deprecated name.

    Use :func:`torch.linalg.lu_solve` instead.

    Parameters
    ----------
    input : Tensor
        The right-hand sides, of the shape ``(*, n, k)``.
    LU_data, LU_pivots : Tensor
        As `torch.linalg.lu_factor` returns them.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The solutions, of the shape ``(*, n, k)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> LU, pivots = torch.linalg.lu_factor(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    >>> torch.lu_solve(torch.tensor([[2.0], [2.0]]), LU, pivots)
    tensor([[1.0000],
            [0.5000]])
    """
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a "
        "future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\n"
        "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B)",
        stacklevel=2,
    )
    return linalg_lu_solve(LU_data, LU_pivots, input, out=out)


def linalg_ldl_factor(input, *, hermitian=False, out=None):
    """Return the LDL factorization of a Hermitian or symmetric matrix, in LAPACK's format.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``; only the lower triangle is read.
    hermitian : bool
        Whether a complex matrix is Hermitian; otherwise it is symmetric.

    Returns
    -------
    named tuple
        LD ``(*, n, n)`` and pivots ``(*, n)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.ldl_factor(torch.tensor([[2.0, 1.0], [1.0, 3.0]])).pivots
    tensor([1, 2], dtype=torch.int32)
    """
    LD, pivots, info = _rows.linalg_ldl_factor_ex(input, hermitian=hermitian)
    check_errors(info, "torch.linalg.ldl_factor", input.dim() == 2)
    return deliver("linalg_ldl_factor", _LdlFactor((LD, pivots)), out)


def linalg_ldl_factor_ex(input, *, hermitian=False, check_errors=False, out=None):
    """Return the LDL factorization and LAPACK's info, without raising on failure.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``.
    hermitian : bool
        See `ldl_factor`.
    check_errors : bool
        Whether to raise for a zero on the diagonal of D.

    Returns
    -------
    named tuple
        LD, pivots and info ``(*)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.ldl_factor_ex(torch.eye(2)).info
    tensor(0, dtype=torch.int32)
    """
    result = _rows.linalg_ldl_factor_ex(input, hermitian=hermitian, check_errors=check_errors)
    return deliver("linalg_ldl_factor_ex", result, out)


def linalg_ldl_solve(LD, pivots, B, *, hermitian=False, out=None):
    """Solve A X = B for an A factored by `ldl_factor`.

    Parameters
    ----------
    LD, pivots : Tensor
        The results of `ldl_factor`.
    B : Tensor
        ``(*, n, k)``.
    hermitian : bool
        See `ldl_factor`.

    Returns
    -------
    Tensor
        ``(*, n, k)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> A = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    >>> torch.linalg.ldl_solve(*torch.linalg.ldl_factor(A), torch.tensor([[3.0], [5.0]]))
    tensor([[0.8000],
            [1.4000]])
    """
    result = _rows.linalg_ldl_solve(LD, pivots, B, hermitian=hermitian)
    return deliver("linalg_ldl_solve", result, out)
