"""Linear systems, inverses and determinants.

A function named ``linalg_name`` is ``minitorch.linalg.name``: an operator of derivatives/ with
PyTorch's public signature. PyTorch's counterpart is
``aten/src/ATen/native/BatchLinearAlgebra.cpp``.
"""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.composed.linalg_support import check_errors, check_floating_or_complex, check_square
from minitorch.core.return_types import result_class

__all__ = ["det", "inverse", "logdet", "slogdet"]

_Slogdet = result_class("linalg_slogdet", ["sign", "logabsdet"])
_OldSlogdet = result_class("slogdet", ["sign", "logabsdet"])
_SolveEx = result_class("linalg_solve_ex", ["result", "info"])


# --------------------------------------------------------------------------------------------------
# Linear systems, inverses, determinants
# --------------------------------------------------------------------------------------------------


def linalg_inv(A, *, out=None):
    """Return the inverse of a square matrix.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.

    Returns
    -------
    Tensor
        ``(*, n, n)``.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Notes
    -----
    To solve a linear system, call `solve` instead.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    result, info = _rows.linalg_inv_ex(A)
    check_errors(info, "linalg.inv", A.dim() == 2)
    return deliver("linalg_inv", result, out)


def linalg_inv_ex(A, *, check_errors=False, out=None):
    """Return the inverse and LAPACK's info, without raising for a singular matrix.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.
    check_errors : bool
        Whether to raise for a singular matrix.

    Returns
    -------
    named tuple
        inverse ``(*, n, n)`` and info ``(*)``, int32, 0 on success.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.inv_ex(torch.zeros(1, 1)).info
    tensor(1, dtype=torch.int32)
    """
    return deliver("linalg_inv_ex", _rows.linalg_inv_ex(A, check_errors=check_errors), out)


def inverse(input, *, out=None):
    """Return the inverse of square matrices.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `input`.

    Raises
    ------
    RuntimeError
        If the matrices are not square.
    LinAlgError
        If one is singular.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.inverse(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return linalg_inv(input, out=out)


def linalg_solve(A, B, *, left=True, out=None):
    """Return the solution X of A X = B.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.
    B : Tensor
        ``(*, n, k)``, or ``(*, n)`` for vectors.
    left : bool
        If False, solve X A = B.

    Returns
    -------
    Tensor
        A tensor with the shape of B.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Examples
    --------
    >>> import minitorch as torch
    >>> A = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    >>> torch.linalg.solve(A, torch.tensor([3.0, 5.0]))
    tensor([0.8000, 1.4000])
    """
    result, _, _, info = _rows._linalg_solve_ex(A, B, left=left)
    check_errors(info, "torch.linalg.solve", A.dim() == 2)
    return deliver("linalg_solve", result, out)


def linalg_solve_ex(A, B, *, left=True, check_errors=False, out=None):
    """Return the solution of A X = B and LAPACK's info, without raising for a singular matrix.

    Parameters
    ----------
    A, B : Tensor
        See `solve`.
    left : bool
        If False, solve X A = B.
    check_errors : bool
        Whether to raise for a singular matrix.

    Returns
    -------
    named tuple
        result and info ``(*)``, int32.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.solve_ex(torch.zeros(1, 1), torch.ones(1, 1)).info
    tensor(1, dtype=torch.int32)
    """
    result, _, _, info = _rows._linalg_solve_ex(A, B, left=left, check_errors=check_errors)
    return deliver("linalg_solve_ex", _SolveEx((result, info)), out)


def linalg_det(A, *, out=None):
    """Return the determinant.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.

    Returns
    -------
    Tensor
        ``(*)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.det(torch.tensor([[2.0, 1.0], [1.0, 3.0]]))
    tensor(5.)
    """
    return deliver("linalg_det", _rows._linalg_det(A)[0], out)


def det(input):
    """Return the determinant of square matrices.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.

    Returns
    -------
    Tensor
        The shape ``(*)``.

    Raises
    ------
    RuntimeError
        If the matrices are not square.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.det(torch.tensor([[2.0, 1.0], [0.0, 3.0]]))
    tensor(6.)
    """
    return _rows._linalg_det(input)[0]


def linalg_slogdet(A, *, out=None):
    """Return the sign of the determinant and the logarithm of its absolute value.

    Parameters
    ----------
    A : Tensor
        ``(*, n, n)``.

    Returns
    -------
    named tuple
        sign and logabsdet, each ``(*)``. The sign of a complex determinant has modulus 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.slogdet(-torch.eye(3)).sign
    tensor(-1.)
    """
    sign, logabsdet, _, _ = _rows._linalg_slogdet(A)
    return deliver("linalg_slogdet", _Slogdet((sign, logabsdet)), out)


def slogdet(input, *, out=None):
    """Return the sign and the logarithm of the absolute determinant of square matrices.

    It does not overflow where the determinant does.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.
    out : tuple of Tensor, optional
        The tensors to write the results into.

    Returns
    -------
    sign : Tensor
        1, -1 or 0, or a complex number of length 1, of the shape ``(*)``.
    logabsdet : Tensor
        A real number, of the shape ``(*)``; -inf for singular matrices.

    Raises
    ------
    RuntimeError
        If the matrices are not square.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.slogdet(torch.tensor([[2.0, 0.0], [0.0, -3.0]]))
    torch.return_types.slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(1.7918))
    """
    return deliver("slogdet", _OldSlogdet(_rows._linalg_slogdet(input)[:2]), out)


def logdet(input):
    """Return the logarithm of the determinant of square matrices.

    It is nan where the determinant is negative, and -inf where it is 0.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.

    Returns
    -------
    Tensor
        The shape ``(*)``.

    Raises
    ------
    RuntimeError
        If the matrices are not square.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.logdet(torch.eye(3) * 2)
    tensor(2.0794)
    """
    check_square(input, "logdet")
    check_floating_or_complex(input, "logdet", True)
    sign, logabsdet, _, _ = _rows._linalg_slogdet(input)
    if input.is_complex():
        return sign.log() + logabsdet
    return _rows.where(sign == -1, float("nan"), logabsdet)
