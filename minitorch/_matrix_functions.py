"""Norms, powers, products and ranks of matrices, composed of the operators of linear algebra."""

import math

from minitorch._linear_algebra import (
    as_tensor_like,
    check_errors,
    check_floating_or_complex,
    check_is_matrix,
    check_square,
    deliver,
    linalg_eigvalsh,
    linalg_inv,
    linalg_inv_ex,
    linalg_solve,
    linalg_svdvals,
    type_name,
    warn_once,
)
from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import eye

__all__ = [
    "frobenius_norm",
    "matrix_exp",
    "matrix_power",
    "nuclear_norm",
]

# --------------------------------------------------------------------------------------------------
# Norms
# --------------------------------------------------------------------------------------------------


def _as_dims(dim):
    return [dim] if isinstance(dim, int) else list(dim)


def linalg_vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    if dim is not None:
        dim = tuple(_as_dims(dim))
    result = _rows.linalg_vector_norm(x, ord, dim, keepdim, dtype=dtype)
    return deliver("linalg_vector_norm", result, out)


def _last(A, dims):
    """The tensor with these two dimensions at the end."""
    rest = [d for d in range(A.dim()) if d not in dims]
    return A.permute(*rest, *dims)


def _as_kept(result, dims):
    for d in sorted(dims):
        result = result.unsqueeze(d)
    return result


def _extreme(x, largest, dim, keepdim):
    return x.amax(dim, keepdim) if largest else x.amin(dim, keepdim)


def linalg_matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    name = "linalg.matrix_norm"
    check_is_matrix(A, name)
    order = ord if isinstance(ord, str) else abs(ord)
    dim = _as_dims(dim)
    if len(dim) != 2:
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    check_floating_or_complex(A, name, order in (2, "nuc"))
    for d in dim:
        if not -A.dim() <= d < A.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-A.dim()}, {A.dim() - 1}], "
                f"but got {d})"
            )
    dims = [d % A.dim() for d in dim]
    if dims[0] == dims[1]:
        raise RuntimeError(f"{name}: dims must be different. Got ({dim[0]}, {dim[1]})")
    if order not in (1, 2, math.inf, "fro", "nuc"):
        raise RuntimeError(f"{name}: Order {_number(ord)} not supported.")
    if order == "fro":
        result = _rows.linalg_vector_norm(A, 2, tuple(dims), keepdim, dtype=dtype)
        return deliver("linalg_matrix_norm", result, out)
    if dtype is not None:
        A = A.to(dtype)
    if order in (2, "nuc"):
        values = linalg_svdvals(_last(A, dims))
        result = values.sum(-1) if order == "nuc" else _extreme(values, ord > 0, -1, False)
        if keepdim:
            result = _as_kept(result, dims)
    else:
        summed, left = dims if order == 1 else dims[::-1]
        sums = _rows.linalg_vector_norm(A, 1, (summed,), keepdim)
        if not keepdim and summed < left:
            left -= 1
        result = _extreme(sums, ord > 0, left, keepdim)
    return deliver("linalg_matrix_norm", result, out)


def _number(value):
    """A number as C++ prints it."""
    return f"{value:g}" if isinstance(value, (int, float)) else value


def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None, out=None):
    dims = None if dim is None else _as_dims(dim)
    if dims is not None:
        if len(dims) not in (1, 2):
            raise RuntimeError(
                f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dims}"
            )
    elif ord is not None and A.dim() not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{A.dim()}D."
        )
    count = A.dim() if dims is None else len(dims)
    if isinstance(ord, str) or (ord is not None and count == 2):
        return linalg_matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype, out=out)
    return linalg_vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype, out=out)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The p-norm of the elements, over the dimensions given or all of them.

    Parameters
    ----------
    input : Tensor
    p : number, "fro" or "nuc"
        The order; "nuc" is the nuclear norm of matrices.
    dim : int or tuple of int, optional
    keepdim : bool
    out : Tensor, optional
    dtype : dtype, optional
        The type to compute in.
    """
    dims = None if dim is None else _as_dims(dim)
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) <= 2)):
        if dims is None:
            dims = list(range(input.dim()))
        return linalg_matrix_norm(input, p, dims, keepdim, dtype=dtype, out=out)
    order = 2.0 if p is None or p == "fro" else p
    return linalg_vector_norm(input, order, dims, keepdim, dtype=dtype, out=out)


def nuclear_norm(input, dim=None, keepdim=False, *, out=None):
    """The sum of the singular values; deprecated in favour of `minitorch.linalg.matrix_norm`."""
    warn_once(
        "at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.matrix_norm(A, 'nuc', dim, "
        "keepdim)` instead"
    )
    return linalg_matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, out=out)


def frobenius_norm(input, dim=None, keepdim=False, *, out=None):
    """The 2-norm; deprecated in favour of `minitorch.linalg.vector_norm`."""
    warn_once(
        "at::frobenius_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.vector_norm(A, 2., dim, keepdim)` "
        "instead"
    )
    return linalg_vector_norm(input, 2.0, dim, keepdim, out=out)


def linalg_cond(input, p=None, *, out=None):
    if input.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is None or p in (2, -2):
        values = linalg_svdvals(input)
        if not input.numel():
            return deliver("linalg_cond", values.new_zeros(values.shape[:-1]), out)
        largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
        ratio = smallest / largest if p == -2 else largest / smallest
        return deliver("linalg_cond", ratio.squeeze(-1), out)
    if isinstance(p, str):
        check_square(input, f"linalg.cond(ord={p})")
    if p not in (1, -1, math.inf, -math.inf, "fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {_number(p)}")
    check_square(input, f"linalg.cond(ord={_number(p)})")
    if not input.numel():
        real = input.abs().dtype
        return deliver("linalg_cond", input.new_zeros(input.shape[:-2], dtype=real), out)
    inverse, info = linalg_inv_ex(input)
    inverse = inverse.masked_fill((info > 0).unsqueeze(-1).unsqueeze(-1), math.inf)
    product = linalg_matrix_norm(input, p) * linalg_matrix_norm(inverse, p)
    return deliver("linalg_cond", product.nan_to_num(math.inf, math.inf, -math.inf), out)


def linalg_matrix_rank(input, tol=None, hermitian=False, *, atol=None, rtol=None, out=None):
    if input.dim() < 2:
        raise RuntimeError(
            "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions."
        )
    if tol is not None:
        atol, rtol = tol, 0.0
    if not input.numel():
        zeros = input.new_zeros(input.shape[:-2], dtype=_int64(input))
        return deliver("linalg_matrix_rank", zeros, out)
    if not (input.is_floating_point() or input.is_complex()) or input.element_size() < 4:
        raise RuntimeError("This function doesn't handle types other than float and double")
    values = linalg_eigvalsh(input.detach()).abs() if hermitian else linalg_svdvals(input.detach())
    if rtol is None:
        eps = 2.0**-23 if values.element_size() == 4 else 2.0**-52
        rtol = 0.0 if atol is not None else eps * max(input.shape[-2:])
    atol = as_tensor_like(0.0 if atol is None else atol, values)
    limit = as_tensor_like(rtol, values) * values.amax(-1)
    limit = _rows.where(atol > limit, atol, limit)
    return deliver("linalg_matrix_rank", (values > limit.unsqueeze(-1)).sum(-1), out)


def _int64(input):
    return input.new_zeros(0).bool().sum().dtype


# --------------------------------------------------------------------------------------------------
# Powers and products
# --------------------------------------------------------------------------------------------------


def _identity_like(input):
    n = input.size(-1)
    return eye(n, n, dtype=input.dtype).expand(input.shape).clone()


def linalg_matrix_power(input, n, *, out=None):
    if not isinstance(n, int) or isinstance(n, bool):
        raise TypeError(
            "linalg_matrix_power(): argument 'n' (position 2) must be int, not "
            f"{type(n).__name__}"
        )
    check_square(input, "linalg.matrix_power")
    if n == 0:
        return deliver("linalg_matrix_power", _identity_like(input).contiguous(), out)
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
    return deliver("linalg_matrix_power", result, out)


def matrix_power(input, n, *, out=None):
    """The n-th power of a square matrix, of its inverse for negative n."""
    return linalg_matrix_power(input, n, out=out)


def matrix_exp(input):
    """The exponential of a square matrix."""
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
                f"{_cpp_name(tensors[0])} and tensor {k} {_cpp_name(t)}"
            )


_CPP_NAMES = {
    "Byte": "unsigned char", "Char": "signed char", "Short": "short int", "Int": "int",
    "Long": "long int", "Half": "c10::Half", "Float": "float", "Double": "double",
    "ComplexFloat": "c10::complex<float>", "ComplexDouble": "c10::complex<double>", "Bool": "bool",
    "BFloat16": "c10::BFloat16",
}  # fmt: skip


def _cpp_name(x):
    return _CPP_NAMES[type_name(x)]


def _best_order(sizes):
    """Where to split each part of a chain of matrices; sizes[k] by sizes[k + 1] is matrix k."""
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
    return split


def linalg_multi_dot(tensors, *, out=None):
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
                f"multi_dot(): tensors {k} and {k + 1} with shapes {list(matrices[k].shape)} and "
                f"{list(matrices[k + 1].shape)} cannot be multiplied"
            )
    split = _best_order([m.size(0) for m in matrices] + [matrices[-1].size(1)])

    def product(i, j):
        if i == j:
            return matrices[i]
        k = split[i][j]
        return product(i, k).mm(product(k + 1, j))

    return deliver("linalg_multi_dot", product(0, len(matrices) - 1).view(shape), out)


def linalg_vecdot(x, y, *, dim=-1, out=None):
    check_floating_or_complex(x, "linalg.vecdot")
    if x.dtype != y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{type_name(x)} and y of type {type_name(y)} instead"
        )
    product = x.conj() * y if x.is_complex() else x * y
    return deliver("linalg_vecdot", product.sum(dim), out)


def linalg_vander(x, *, N=None):
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(_int64(x))
    if N is not None and N <= 1 or N is None and x.dim() and x.size(-1) <= 1:
        raise RuntimeError("N must be greater than 1.")
    n = x.size(-1) if N is None else N
    powers = x.unsqueeze(-1).expand(*x.shape, n - 1).cumprod(-1)
    return _rows.cat([x.new_ones(*x.shape, 1), powers], -1)


# --------------------------------------------------------------------------------------------------
# Tensors as matrices
# --------------------------------------------------------------------------------------------------


def linalg_tensorinv(input, ind=2, *, out=None):
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
    if dims is not None:
        dims = [d % input.dim() for d in dims]
        input = input.permute(*[d for d in range(input.dim()) if d not in dims], *dims)
    end = list(input.shape[other.dim() :])
    size, start = math.prod(end), math.prod(input.shape[: other.dim()])
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
    return deliver("linalg_matrix_exp", _rows.linalg_matrix_exp(input), out)


def linalg_matmul(input, other, *, out=None):
    return deliver("linalg_matmul", _rows.matmul(input, other), out)


def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return _rows.diagonal(A, offset, dim1, dim2)
