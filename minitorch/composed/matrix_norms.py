"""Norms, condition numbers and ranks of matrices.

A function named ``linalg_name`` is ``minitorch.linalg.name``.
"""

import math

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.outputs import deliver
from minitorch.composed.linalg_support import (
    check_floating_or_complex,
    check_is_matrix,
    check_norm_dtype,
    check_square,
    default_rtol,
    int64_of,
    tolerances,
)
from minitorch.composed.linear_algebra import linalg_inv_ex
from minitorch.composed.matrix_decompositions import linalg_eigvalsh, linalg_svdvals
from minitorch.core.once import warn_once
from minitorch.core.tensor_impl import maybe_wrap_dim

__all__ = ["frobenius_norm", "norm", "nuclear_norm"]

# --------------------------------------------------------------------------------------------------
# Norms
# --------------------------------------------------------------------------------------------------


def _as_dims(dim):
    return [dim] if isinstance(dim, int) else list(dim)


def linalg_vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    """Return the norm of vectors.

    Parameters
    ----------
    input : Tensor
        A floating-point or complex tensor.
    ord : number
        The order, which may be any number, including 0 and inf.
    dim : int or tuple of int, optional
        The dimensions to reduce; default: all.
    keepdim : bool
        Whether to keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype to compute in.

    Returns
    -------
    Tensor
        The norms, of a real dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.vector_norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if dim is not None:
        dim = tuple(_as_dims(dim))
    result = _rows.linalg_vector_norm(input, ord, dim, keepdim, dtype=dtype)
    return deliver("linalg_vector_norm", result, out)


def _extreme(x, largest, dim, keepdim):
    """Return the largest element along a dimension, 0 if it is empty; or the smallest."""
    if largest and x.size(dim) == 0:
        return x.sum(dim, keepdim)
    return x.amax(dim, keepdim) if largest else x.amin(dim, keepdim)


def linalg_matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    """Return the norm of matrices.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``.
    ord : number or str
        "fro"; "nuc" (the sum of the singular values); 2 and -2 (the largest and smallest
        singular value); 1 and -1 (the largest and smallest column sum); inf and -inf (the same
        for rows).
    dim : tuple of int
        The two dimensions of the matrices.
    keepdim : bool
        Whether to keep these dimensions with size 1.
    dtype : dtype, optional
        The dtype to compute in.

    Returns
    -------
    Tensor
        The norms, of a real dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]), 'nuc')
    tensor(7.)
    """
    name = "linalg.matrix_norm"
    if isinstance(ord, complex):
        raise RuntimeError(f"{name}: Expected a non-complex scalar as the order of norm.")
    order = ord if isinstance(ord, str) else abs(ord)
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise RuntimeError(f"{name}: Order {ord} not supported.")
    check_is_matrix(input, name)
    dim = _as_dims(dim)
    if len(dim) != 2:
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    check_floating_or_complex(input, name, order in (2, "nuc"))
    dims = [maybe_wrap_dim(d, input.dim()) for d in dim]
    if dims[0] == dims[1]:
        raise RuntimeError(f"{name}: dims must be different. Got ({dim[0]}, {dim[1]})")
    check_norm_dtype(dtype, input, name)
    if order not in (1, 2, math.inf, "fro", "nuc"):
        raise RuntimeError(f"{name}: Order {_number(ord)} not supported.")
    if order == "fro":
        result = _rows.linalg_vector_norm(input, 2, tuple(dims), keepdim, dtype=dtype)
        return deliver("linalg_matrix_norm", result, out)
    if dtype is not None:
        input = input.to(dtype)
    if order in (2, "nuc"):
        places = [d for d in range(input.dim()) if d not in dims] + dims
        values = linalg_svdvals(input.permute(places))
        result = (
            values.sum(-1, keepdim) if order == "nuc" else _extreme(values, ord > 0, -1, keepdim)
        )
        if keepdim:
            result = result.unsqueeze(-1).permute([places.index(d) for d in range(input.dim())])
    else:
        summed, left = dims if order == 1 else dims[::-1]
        sums = _rows.linalg_vector_norm(input, 1, (summed,), keepdim)
        if not keepdim and summed < left:
            left -= 1
        result = _extreme(sums, ord > 0, left, keepdim)
    return deliver("linalg_matrix_norm", result, out)


def _number(value):
    """Format a number as C++ prints it."""
    return f"{value:g}" if isinstance(value, (int, float)) else value


def linalg_norm(input, ord=None, dim=None, keepdim=False, *, dtype=None, out=None):
    """Return the norm of vectors or matrices.

    Parameters
    ----------
    input : Tensor
    ord : number or str, optional
        An order of `matrix_norm` for two dimensions, otherwise of `vector_norm`. None means the
        2-norm of all elements.
    dim : int or tuple of int, optional
        One or two dimensions.
    keepdim : bool
        Whether to keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype to compute in.

    Returns
    -------
    Tensor
        The norms, of a real dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    dims = None if dim is None else _as_dims(dim)
    if dims is not None:
        if len(dims) not in (1, 2):
            raise RuntimeError(
                f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dims}"
            )
    elif ord is not None and input.dim() not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{input.dim()}D."
        )
    count = input.dim() if dims is None else len(dims)
    if isinstance(ord, str) or (ord is not None and count == 2):
        result = linalg_matrix_norm(input, ord, dims or (0, 1), keepdim, dtype=dtype)
    else:
        result = linalg_vector_norm(input, 2.0 if ord is None else ord, dims, keepdim, dtype=dtype)
    return deliver("linalg_norm", result, out)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """Return the norm of vectors or matrices, under a deprecated name.

    Use :func:`torch.linalg.vector_norm` or :func:`torch.linalg.matrix_norm` instead.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point or complex dtype.
    p : number, "fro" or "nuc", default "fro"
        The order of the norm.
    dim : int or tuple of int, optional
        The dimensions of the vectors or matrices; by default all.
    keepdim : bool, default False
        Keep these dimensions, of size 1.
    out : Tensor, optional
        The tensor to write the result into.
    dtype : dtype, optional
        Convert the input to this dtype first.

    Returns
    -------
    Tensor
        Real, of the shape of `input` without `dim`.

    Raises
    ------
    RuntimeError
        If the norm does not exist.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    dims = None if dim is None else _as_dims(dim)
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) <= 2)):
        if dims is None:
            dims = list(range(input.dim()))
        return linalg_matrix_norm(input, p, dims, keepdim, dtype=dtype, out=out)
    order = 2 if p is None or p == "fro" else p
    if input.is_sparse and out is None and dtype is None:
        return _rows.norm_dim(input, order, dims, keepdim)
    return linalg_vector_norm(input, order, dims, keepdim, dtype=dtype, out=out)


def nuclear_norm(input, dim=None, keepdim=False, *, out=None):
    """Return the sum of the singular values of matrices.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point or complex dtype.
    dim : int or tuple of int, optional
        The dimensions of the matrices; by default the input must be a matrix.
    keepdim : bool, default False
        Keep these dimensions, of size 1.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, of the shape of `input` without `dim`.

    Raises
    ------
    RuntimeError
        If `dim` does not name matrices.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nuclear_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]), dim=(0, 1))
    tensor(7.)
    """
    warn_once(
        "at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.matrix_norm(A, 'nuc', dim, "
        "keepdim)` instead",
        stacklevel=2,
    )
    if isinstance(dim, bool):
        dim, keepdim = None, dim
    return linalg_matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, out=out)


def frobenius_norm(input, dim=None, keepdim=False, *, out=None):
    """Return the square root of the sum of the squares of the elements.

    Parameters
    ----------
    input : Tensor
        Any shape, and a floating-point or complex dtype.
    dim : int or tuple of int, optional
        The dimensions of the matrices; by default all.
    keepdim : bool, default False
        Keep these dimensions, of size 1.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        Real, of the shape of `input` without `dim`.

    Raises
    ------
    IndexError
        If there is no such dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.frobenius_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]), dim=(0, 1))
    tensor(5.)
    """
    warn_once(
        "at::frobenius_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.vector_norm(A, 2., dim, keepdim)` "
        "instead",
        stacklevel=2,
    )
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{input.dtype._class_name} instead."
        )
    if isinstance(dim, (tuple, list)) and len(dim) > 2:
        raise RuntimeError(f"Expected at most 2 dimensions, but got {len(dim)} dimensions instead.")
    return linalg_vector_norm(input, 2.0, dim, keepdim, out=out)


def linalg_cond(input, p=None, *, out=None):
    """Return the condition number: the norm of a matrix times the norm of its inverse.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``; square unless p is None, 2 or -2.
    p : number or str, optional
        An order of `matrix_norm`; None means 2.

    Returns
    -------
    Tensor
        ``(*)``, real.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.cond(torch.diag(torch.tensor([1.0, 4.0])))
    tensor(4.)
    """
    if isinstance(p, str):
        check_square(input, f"linalg.cond(ord={p})")
    if input.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is None or p in (2, -2):
        values = linalg_svdvals(input)
        if not input.numel():
            return deliver("linalg_cond", values.new_zeros(values.shape[:-1]), out)
        largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
        ratio = smallest / largest if p == -2 else largest / smallest
        return deliver("linalg_cond", ratio.squeeze(-1), out)
    if p not in (1, -1, math.inf, -math.inf, "fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {_number(p)}")
    if not input.numel():
        real = input.abs().dtype
        return deliver("linalg_cond", input.new_zeros(input.shape[:-2], dtype=real), out)
    check_square(input, f"linalg.cond(ord={_number(p)})")
    if p == "nuc":  # the inverse has the reciprocal singular values
        values = linalg_svdvals(input)
        return deliver("linalg_cond", values.sum(-1) * values.reciprocal().sum(-1), out)
    inverse, info = linalg_inv_ex(input)
    inverse = inverse.masked_fill((info > 0).unsqueeze(-1).unsqueeze(-1), math.inf)
    product = linalg_matrix_norm(input, p) * linalg_matrix_norm(inverse, p)
    return deliver("linalg_cond", product.nan_to_num(math.inf, math.inf, -math.inf), out)


def linalg_matrix_rank(input, tol=None, hermitian=False, *, atol=None, rtol=None, out=None):
    """Return the number of singular values above a tolerance.

    Parameters
    ----------
    input : Tensor
        ``(*, m, n)``.
    tol : float or Tensor, optional
        An older name of `atol`; it implies ``rtol=0``.
    hermitian : bool
        Whether the matrix is Hermitian, which is faster.
    atol, rtol : float or Tensor, optional
        See `pinv`.

    Returns
    -------
    Tensor
        ``(*)``, int64.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.matrix_rank(torch.ones(3, 3))
    tensor(1)
    """
    if input.dim() < 2:
        raise RuntimeError(
            "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions."
        )
    if tol is not None:
        atol, rtol = tol, 0.0
    if not (input.is_floating_point() or input.is_complex()) or input.element_size() < 4:
        raise RuntimeError("This function doesn't handle types other than float and double")
    atol, rtol = tolerances(input, atol, rtol, ("matrix_rank: atol", "matrix_rank: rtol"))
    if rtol is None:
        rtol = default_rtol(input, atol)
    if not input.numel():
        zeros = input.new_zeros(input.shape[:-2], dtype=int64_of(input))
        return deliver("linalg_matrix_rank", zeros, out)
    if hermitian:
        values = linalg_eigvalsh(input).abs()
        largest = values.amax(-1, keepdim=True)
    else:
        values = linalg_svdvals(input)
        largest = values.narrow(-1, 0, 1)
    limit = rtol.unsqueeze(-1) * largest
    limit = _rows.maximum(atol.unsqueeze(-1), limit)
    return deliver("linalg_matrix_rank", (values > limit).sum(-1), out)
