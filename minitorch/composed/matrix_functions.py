"""Powers and products of matrices, composed of linear algebra operators.

A function named ``linalg_name`` is ``minitorch.linalg.name``.
"""

import math

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import eye
from minitorch.autograd.functions.outputs import deliver
from minitorch.composed.linalg_support import (
    check_errors,
    check_floating_or_complex,
    check_square,
    int64_of,
)
from minitorch.composed.linear_algebra import linalg_inv, linalg_inv_ex, linalg_solve

__all__ = ["matrix_exp", "matrix_power"]

# --------------------------------------------------------------------------------------------------
# Powers and products
# --------------------------------------------------------------------------------------------------


def linalg_matrix_power(input, n, *, out=None):
    """Return the n-th power of a square matrix.

    Parameters
    ----------
    input : Tensor
        ``(*, m, m)``.
    n : int
        The exponent; if it is negative, the result is a power of the inverse.

    Returns
    -------
    Tensor
        ``(*, m, m)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    check_square(input, "linalg.matrix_power")
    if n == 0:
        identity = eye(input.size(-1), dtype=input.dtype).expand(input.shape)
        return deliver("linalg_matrix_power", input.clone().copy_(identity), out)
    if n < 0:
        input, n = linalg_inv(input), -n
    elif n == 1:
        return deliver("linalg_matrix_power", input.clone(), out)
    result, square = None, input
    while n:
        if n & 1:
            result = square if result is None else result.matmul(square)
        n >>= 1
        if n:
            square = square.matmul(square)
    return deliver("matrix_power", result, out)


def matrix_power(input, n, *, out=None):
    """Raise square matrices to an integer power.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.
    n : int
        Negative powers are powers of the inverse.
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
        If `n` is negative and a matrix is singular.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    return linalg_matrix_power(input, n, out=out)


def matrix_exp(input):
    """Return the exponential of square matrices, the sum of ``A**k / k!``.

    Parameters
    ----------
    input : Tensor
        The shape ``(*, n, n)``, and a floating-point or complex dtype.

    Returns
    -------
    Tensor
        The shape of `input`.

    Raises
    ------
    RuntimeError
        If the matrices are not square.

    References
    ----------
    P. Bader et al., Computing the matrix exponential with an optimized Taylor polynomial approximation,
    2019.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return _rows.linalg_matrix_exp(input)


def _check_chain(tensors):
    n = len(tensors)
    if n < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {n}")
    for which, t in (("first", tensors[0]), ("last", tensors[-1])):
        if t.dim() not in (1, 2):
            raise RuntimeError(
                f"multi_dot(): the {which} tensor must be 1D or 2D but got {t.dim()}D"
            )
    for k, t in enumerate(tensors[1:-1], 1):
        if t.dim() != 2:
            raise RuntimeError(f"multi_dot(): tensor {k} must be 2D but got {t.dim()}D")
    for k, t in enumerate(tensors[1:], 1):
        if t.dtype != tensors[0].dtype:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{tensors[0].dtype._c_name} and tensor {k} {t.dtype._c_name}"
            )


def _best_order(sizes):
    """Return where to split each part of a chain in which matrix k is sizes[k] x sizes[k + 1]."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best = None
            for k in range(i, j):
                total = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if best is None or total < best:
                    best, split[i][j] = total, k
            cost[i][j] = best
    a, b, *_, d = sizes
    if n == 3 and cost[0][1] + a * sizes[2] * d == cost[1][2] + a * b * d:
        split[0][2] = 1  # of two equally cheap orders, start with the first pair
    return split


def linalg_multi_dot(tensors, *, out=None):
    """Return the product of two or more matrices, in the cheapest order.

    Parameters
    ----------
    tensors : sequence of Tensor
        The matrices; the first and the last may be vectors.

    Returns
    -------
    Tensor
        The product, without the dimensions added for vectors.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.multi_dot([torch.ones(2, 3), torch.ones(3, 2), torch.ones(2)])
    tensor([6., 6.])
    """
    tensors = list(tensors)
    _check_chain(tensors)
    shape = []
    first, last = tensors[0], tensors[-1]
    matrices = list(tensors)
    if first.dim() == 1:
        matrices[0] = first.unsqueeze(0)
    else:
        shape.append(first.size(0))
    if last.dim() == 1:
        matrices[-1] = last.unsqueeze(-1)
    else:
        shape.append(last.size(1))
    for k in range(len(matrices) - 1):
        if matrices[k].size(-1) != matrices[k + 1].size(0):
            raise RuntimeError(
                f"multi_dot(): tensors {k} and {k + 1} with shapes {list(tensors[k].shape)} and "
                f"{list(tensors[k + 1].shape)} cannot be multiplied"
            )
    split = _best_order([m.size(0) for m in matrices] + [matrices[-1].size(1)])

    def product(i, j):
        if i == j:
            return matrices[i]
        k = split[i][j]
        return product(i, k).mm(product(k + 1, j))

    return deliver("linalg_multi_dot", product(0, len(matrices) - 1).view(shape), out)


def linalg_vecdot(x, y, *, dim=-1, out=None):
    """Return the dot products of vectors; the first vector is conjugated.

    Parameters
    ----------
    x, y : Tensor
        Tensors that broadcast with each other.
    dim : int
        The dimension of the vectors.

    Returns
    -------
    Tensor
        The products, without that dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.vecdot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_floating_or_complex(x, "linalg.vecdot")
    if x.dtype != y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{x.dtype._class_name} and y of type {y.dtype._class_name} instead"
        )
    if x.dim() == y.dim() == 1:
        return deliver("linalg_vecdot", _rows.vdot(x, y), out)
    product = x.conj() * y if x.is_complex() else x * y
    return deliver("linalg_vecdot", product.sum(dim), out)


def linalg_vander(x, *, N=None):
    """Return powers of a vector's elements.

    Parameters
    ----------
    x : Tensor
        ``(*, n)``.
    N : int, optional
        The number of powers; default n.

    Returns
    -------
    Tensor
        ``(*, n, N)``: the powers 0 to N - 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    if repr(x.dtype) in ("torch.bool", "torch.float16", "torch.bfloat16"):
        raise RuntimeError(
            "linalg.vander supports floating point, complex, and integer tensors, but got "
            f"{x.dtype._class_name}"
        )
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(int64_of(x))
    if x.dim() == 0:
        x = x.unsqueeze(-1)
    n = x.size(-1) if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = x.unsqueeze(-1).expand(*x.shape, n - 1).cumprod(-1)
    return _rows.cat([x.new_ones(*x.shape, 1), powers], -1)


# --------------------------------------------------------------------------------------------------
# Tensors as matrices
# --------------------------------------------------------------------------------------------------


def linalg_tensorinv(input, ind=2, *, out=None):
    """Return the inverse of a tensor with respect to `tensordot` over its first dimensions.

    Parameters
    ----------
    input : Tensor
        The sizes before and after `ind` must have the same product.
    ind : int
        The number of dimensions that form the rows.

    Returns
    -------
    Tensor
        ``input.shape[ind:] + input.shape[:ind]``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4), 2).shape
    torch.Size([4, 2, 2])
    """
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    start, end = list(input.shape[:ind]), list(input.shape[ind:])
    if math.prod(start) != math.prod(end):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {math.prod(end)} != {math.prod(start)}"
        )
    inverse, info = linalg_inv_ex(input.reshape(math.prod(start), math.prod(end)))
    check_errors(info, "inv", True)
    return deliver("linalg_tensorinv", inverse.reshape(end + start), out)


def linalg_tensorsolve(input, other, dims=None, *, out=None):
    """Solve ``tensordot(A, X) = B`` for X.

    Parameters
    ----------
    input : Tensor
        A, whose first dimensions match those of B.
    other : Tensor
        B.
    dims : tuple of int, optional
        Dimensions of A to move to the end first.

    Returns
    -------
    Tensor
        X, of shape ``A.shape[B.dim():]``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4), torch.ones(2, 2))
    tensor([1., 1., 1., 1.])
    """
    if dims is not None:
        input = input.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    end = list(input.shape[other.dim() :])
    size, start = math.prod(end), other.numel()
    if size != start:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {size} != {start}"
        )
    result = linalg_solve(input.reshape(size, size), other.flatten())
    return deliver("linalg_tensorsolve", result.reshape(end), out)


# --------------------------------------------------------------------------------------------------
# Operators under their public names
# --------------------------------------------------------------------------------------------------

linalg_cross = _rows.linalg_cross
linalg_solve_triangular = _rows.linalg_solve_triangular


def linalg_matrix_exp(input, *, out=None):
    """Return the exponential of a square matrix.

    Parameters
    ----------
    input : Tensor
        ``(*, n, n)``.

    Returns
    -------
    Tensor
        ``(*, n, n)``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return deliver("linalg_matrix_exp", _rows.linalg_matrix_exp(input), out)


def linalg_matmul(input, other, *, out=None):
    """Return the product of matrices, like `minitorch.matmul`.

    Parameters
    ----------
    input, other : Tensor

    Returns
    -------
    Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.matmul(torch.ones(2, 3), torch.ones(3))
    tensor([3., 3.])
    """
    return deliver("linalg_matmul", _rows.matmul(input, other), out)


def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """Return a view of the diagonals of matrices.

    Parameters
    ----------
    A : Tensor
        ``(*, m, n)``.
    offset : int
        The index of the diagonal; positive is above the main diagonal.
    dim1, dim2 : int
        The dimensions of the matrices.

    Returns
    -------
    Tensor
        The diagonals, in the last dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.linalg.diagonal(torch.eye(2))
    tensor([1., 1.])
    """
    return _rows.diagonal(A, offset, dim1, dim2)
