"""Linear algebra: what ``minitorch.linalg`` has, and its relatives in the main namespace.

The decompositions are operators of their own (derivatives.toml); here they get PyTorch's public
signatures, and the functions composed of them stand in _matrix_functions.py. PyTorch's counterparts
are in ``aten/src/ATen/native/BatchLinearAlgebra.cpp`` and ``LinearAlgebra.cpp``.
"""

import warnings

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.namespace import can_cast
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.core.linalg_error import linalg_error
from minitorch.core.return_types import result_class

__all__ = [
    "det",
    "inverse",
    "logdet",
    "lu",
    "lu_solve",
    "orgqr",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
]

# --------------------------------------------------------------------------------------------------
# What all of them share
# --------------------------------------------------------------------------------------------------


def deliver(name, result, out):
    """The result, written to `out` where that is given.

    Parameters
    ----------
    name : str
        The function, as errors call it.
    result, out : Tensor or tuple of Tensor
    """
    if out is None:
        return result
    if isinstance(result, tuple):
        if len(out) != len(result):
            raise TypeError(
                f"{name}(): argument 'out' must be tuple of Tensors of length {len(result)}"
            )
        values = [deliver(name, *pair) for pair in zip(result, out, strict=True)]
        return type(result)(values)
    if is_grad_enabled() and (out.requires_grad or result.requires_grad):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    if not can_cast(result.dtype, out.dtype):
        raise RuntimeError(
            f"{name}: Expected result to be safely castable from {type_name(result)} dtype, but "
            f"got result with dtype {type_name(out)}"
        )
    if out.shape != result.shape:
        if out.numel():
            warnings.warn(
                "An output with one or more elements was resized since it had shape "
                f"{list(out.shape)}, which does not match the required output shape "
                f"{list(result.shape)}. This behavior is deprecated, and in a future PyTorch "
                "release outputs will not be resized unless they have zero elements. You can "
                "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
                "t.resize_(0).",
                UserWarning,
                stacklevel=3,
            )
        out.resize_(result.shape)
    return out.copy_(result)


_TYPE_NAMES = {
    "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long",
    "float16": "Half", "bfloat16": "BFloat16", "float32": "Float", "float64": "Double",
    "complex64": "ComplexFloat", "complex128": "ComplexDouble", "bool": "Bool",
}  # fmt: skip


def type_name(x):
    """The name of a tensor's element type in PyTorch's messages."""
    return _TYPE_NAMES[str(x.dtype).removeprefix("torch.")]


def check_errors(info, name, is_matrix):
    """Raise PyTorch's error for the first matrix that LAPACK could not do."""
    if not info.any():
        return
    for index, value in enumerate(info.flatten().tolist()):
        if value:
            raise linalg_error(value, name, None if is_matrix else index)


def check_is_matrix(A, name):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")


def check_square(A, name):
    check_is_matrix(A, name)
    if A.size(-1) != A.size(-2):
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {A.size(-2)} by "
            f"{A.size(-1)} matrices"
        )


def check_floating_or_complex(A, name, wide=False):
    if not (A.is_floating_point() or A.is_complex()):
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {type_name(A)}"
        )
    if wide and A.is_floating_point() and A.element_size() < 4:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {type_name(A)}")


def needs_gradient(*tensors):
    return is_grad_enabled() and any(t.requires_grad for t in tensors)


_warned = set()


def warn_once(text):
    """Of a deprecated function, once in the life of the process."""
    if text not in _warned:
        _warned.add(text)
        warnings.warn(text, UserWarning, stacklevel=3)


_Eig = result_class("linalg_eig", ["eigenvalues", "eigenvectors"])
_Eigh = result_class("linalg_eigh", ["eigenvalues", "eigenvectors"])
_InvEx = result_class("linalg_inv_ex", ["inverse", "info"])
_LdlFactor = result_class("linalg_ldl_factor", ["LD", "pivots"])
_LuFactor = result_class("linalg_lu_factor", ["LU", "pivots"])
_Qr = result_class("qr", ["Q", "R"])
_Slogdet = result_class("linalg_slogdet", ["sign", "logabsdet"])
_OldSlogdet = result_class("slogdet", ["sign", "logabsdet"])
_SolveEx = result_class("linalg_solve_ex", ["result", "info"])
_Svd = result_class("linalg_svd", ["U", "S", "Vh"])
_OldSvd = result_class("svd", ["U", "S", "V"])

# --------------------------------------------------------------------------------------------------
# Linear systems, inverses, determinants
# --------------------------------------------------------------------------------------------------


def linalg_inv(A, *, out=None):
    result, info = _rows.linalg_inv_ex(A)
    check_errors(info, "linalg.inv", A.dim() == 2)
    return deliver("linalg_inv", result, out)


def linalg_inv_ex(A, *, check_errors=False, out=None):
    return deliver("linalg_inv_ex", _rows.linalg_inv_ex(A, check_errors=check_errors), out)


def inverse(input, *, out=None):
    """The inverse of a square matrix, as `minitorch.linalg.inv` has it."""
    return linalg_inv(input, out=out)


def linalg_solve(A, B, *, left=True, out=None):
    result, _, _, info = _rows._linalg_solve_ex(A, B, left=left)
    check_errors(info, "torch.linalg.solve", A.dim() == 2)
    return deliver("linalg_solve", result, out)


def linalg_solve_ex(A, B, *, left=True, check_errors=False, out=None):
    result, _, _, info = _rows._linalg_solve_ex(A, B, left=left, check_errors=check_errors)
    return deliver("linalg_solve_ex", _SolveEx((result, info)), out)


def linalg_det(A, *, out=None):
    return deliver("linalg_det", _rows._linalg_det(A)[0], out)


def det(input):
    """The determinant of a square matrix."""
    return _rows._linalg_det(input)[0]


def linalg_slogdet(A, *, out=None):
    sign, logabsdet, _, _ = _rows._linalg_slogdet(A)
    return deliver("linalg_slogdet", _Slogdet((sign, logabsdet)), out)


def slogdet(input, *, out=None):
    """The sign of the determinant and the logarithm of its absolute value."""
    return deliver("slogdet", _OldSlogdet(_rows._linalg_slogdet(input)[:2]), out)


def logdet(input):
    """The logarithm of the determinant; nan where that is negative."""
    check_square(input, "logdet")
    check_floating_or_complex(input, "logdet", True)
    sign, logabsdet, _, _ = _rows._linalg_slogdet(input)
    if input.is_complex():
        return sign.log() + logabsdet
    return _rows.where(sign == -1, float("nan"), logabsdet)


# --------------------------------------------------------------------------------------------------
# Cholesky and LU
# --------------------------------------------------------------------------------------------------


def linalg_cholesky(input, *, upper=False, out=None):
    L, info = _rows.linalg_cholesky_ex(input, upper=upper)
    check_errors(info, "linalg.cholesky", input.dim() == 2)
    return deliver("linalg_cholesky", L, out)


def linalg_cholesky_ex(input, *, upper=False, check_errors=False, out=None):
    result = _rows.linalg_cholesky_ex(input, upper=upper, check_errors=check_errors)
    return deliver("linalg_cholesky_ex", result, out)


def linalg_lu(A, *, pivot=True, out=None):
    return deliver("linalg_lu", _rows.linalg_lu(A, pivot=pivot), out)


def linalg_lu_factor(A, *, pivot=True, out=None):
    LU, pivots, info = _rows.linalg_lu_factor_ex(A, pivot=pivot)
    check_errors(info, "torch.linalg.lu_factor", A.dim() == 2)
    return deliver("linalg_lu_factor", _LuFactor((LU, pivots)), out)


def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    result = _rows.linalg_lu_factor_ex(A, pivot=pivot, check_errors=check_errors)
    return deliver("linalg_lu_factor_ex", result, out)


def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    result = _rows.linalg_lu_solve(LU, pivots, B, left=left, adjoint=adjoint)
    return deliver("linalg_lu_solve", result, out)


def lu(A, pivot=True, get_infos=False, out=None):
    """The LU factorization of a matrix; deprecated in favour of `minitorch.linalg.lu_factor`.

    Parameters
    ----------
    A : Tensor
    pivot : bool
        Must be true.
    get_infos : bool
        Whether LAPACK's info is a third result, and no error is raised.
    out : tuple of Tensor, optional
    """
    warn_once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and "
        "will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\n"
        "should be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
    )
    LU, pivots, info = _rows.linalg_lu_factor_ex(A, pivot=pivot)
    if get_infos:
        return deliver("lu", (LU, pivots, info), out)
    check_errors(info, "torch.linalg.lu_factor_ex", A.dim() == 2)
    return deliver("lu", (LU, pivots), out)


def lu_solve(input, LU_data, LU_pivots, *, out=None):
    """Solve with a factorization; deprecated in favour of `minitorch.linalg.lu_solve`."""
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a "
        "future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\n"
        "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B)"
    )
    return linalg_lu_solve(LU_data, LU_pivots, input, out=out)


def linalg_ldl_factor(input, *, hermitian=False, out=None):
    LD, pivots, info = _rows.linalg_ldl_factor_ex(input, hermitian=hermitian)
    check_errors(info, "torch.linalg.ldl_factor", input.dim() == 2)
    return deliver("linalg_ldl_factor", _LdlFactor((LD, pivots)), out)


def linalg_ldl_factor_ex(input, *, hermitian=False, check_errors=False, out=None):
    result = _rows.linalg_ldl_factor_ex(input, hermitian=hermitian, check_errors=check_errors)
    return deliver("linalg_ldl_factor_ex", result, out)


def linalg_ldl_solve(LD, pivots, B, *, hermitian=False, out=None):
    result = _rows.linalg_ldl_solve(LD, pivots, B, hermitian=hermitian)
    return deliver("linalg_ldl_solve", result, out)


# --------------------------------------------------------------------------------------------------
# QR, eigenvalues, singular values
# --------------------------------------------------------------------------------------------------


def linalg_qr(A, mode="reduced", *, out=None):
    return deliver("linalg_qr", _rows.linalg_qr(A, mode), out)


def qr(input, some=True, *, out=None):
    """The QR decomposition; deprecated in favour of `minitorch.linalg.qr`."""
    warn_once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future "
        "PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter "
        "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\n"
        "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
    )
    return deliver("qr", _Qr(_rows.linalg_qr(input, "reduced" if some else "complete")), out)


def linalg_householder_product(input, tau, *, out=None):
    return deliver(
        "linalg_householder_product", _rows.linalg_householder_product(input, tau), out
    )


def orgqr(input, input2, *, out=None):
    """The product of Householder reflectors, `minitorch.linalg.householder_product`."""
    return linalg_householder_product(input, input2, out=out)


def linalg_eigh(A, UPLO="L", *, out=None):
    return deliver("linalg_eigh", _Eigh(_rows._linalg_eigh(A, UPLO)), out)


def linalg_eigvalsh(input, UPLO="L", *, out=None):
    values, _ = _rows._linalg_eigh(input, UPLO, needs_gradient(input))
    return deliver("linalg_eigvalsh", values, out)


def linalg_eig(input, *, out=None):
    return deliver("linalg_eig", _rows.linalg_eig(input), out)


def linalg_eigvals(input, *, out=None):
    if needs_gradient(input):
        return deliver("linalg_eigvals", _rows.linalg_eig(input)[0], out)
    return deliver("linalg_eigvals", _rows._linalg_eigvals(input), out)


def linalg_svd(A, full_matrices=True, *, driver=None, out=None):
    return deliver("linalg_svd", _Svd(_rows._linalg_svd(A, full_matrices, driver=driver)), out)


def linalg_svdvals(A, *, driver=None, out=None):
    values = _rows._linalg_svd(A, False, needs_gradient(A), driver=driver)[1]
    return deliver("linalg_svdvals", values, out)


def svd(input, some=True, compute_uv=True, *, out=None):
    """The singular value decomposition; deprecated in favour of `minitorch.linalg.svd`.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``.
    some : bool
        Whether U and V have min(m, n) columns.
    compute_uv : bool
        Without, U and V are zeros.
    out : tuple of Tensor, optional
    """
    check_is_matrix(input, "linalg.svd")
    if not compute_uv:
        S = linalg_svdvals(input)
        *batch, m, n = input.shape
        zeros = [input.new_zeros((*batch, k, k)) for k in (m, n)]
        return deliver("svd", _OldSvd((zeros[0], S, zeros[1])), out)
    U, S, Vh = _rows._linalg_svd(input, not some)
    return deliver("svd", _OldSvd((U, S, Vh.mH)), out)


# --------------------------------------------------------------------------------------------------
# Least squares and pseudoinverse
# --------------------------------------------------------------------------------------------------


def linalg_lstsq(input, b, rcond=None, *, driver=None, out=None):
    return deliver("linalg_lstsq", _rows.linalg_lstsq(input, b, rcond, driver=driver), out)


def as_tensor_like(number, input):
    """A number as a tensor of the real type of `input`; None and tensors as they are."""
    if number is None or hasattr(number, "requires_grad"):
        return number
    return input.new_full((), number, dtype=input.abs().dtype if input.is_complex() else None)


def linalg_pinv(input, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None):
    if rcond is not None:
        atol, rtol = 0.0, rcond
    atol, rtol = as_tensor_like(atol, input), as_tensor_like(rtol, input)
    if rtol is None and atol is not None:
        rtol = as_tensor_like(0.0, input)
    return deliver(
        "linalg_pinv", _rows.linalg_pinv(input, atol=atol, rtol=rtol, hermitian=hermitian), out
    )


def pinverse(input, rcond=1e-15):
    """The pseudoinverse, `minitorch.linalg.pinv` with another default for `rcond`."""
    return linalg_pinv(input, rcond)
