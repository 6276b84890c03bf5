"""Functions that read or build diagonals, the Vandermonde matrix, and differences along a dimension."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.autograd.functions.creation import arange, zeros, zeros_like
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.core.tensor_impl import maybe_wrap_dim

__all__ = [
    "block_diag",
    "diag",
    "diag_embed",
    "diagflat",
    "diff",
    "trace",
    "vander",
]


def block_diag(*tensors):
    """Build a matrix of blocks on its diagonal.

    Parameters
    ----------
    *tensors : Tensor
        Matrices, vectors (which become rows) or numbers.

    Returns
    -------
    Tensor
        A matrix with zeros outside of the blocks.

    Raises
    ------
    RuntimeError
        If a tensor has more than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    return _block_diag(tensors)


@parsed_as("block_diag")
def _block_diag(tensors):
    if not tensors:
        return zeros(1, 0)
    return _rows._block_diag(tensors)


def diag(input, diagonal=0):
    """Build a diagonal matrix, or copy a diagonal.

    Parameters
    ----------
    input : Tensor
        A vector or a matrix.
    diagonal : int, default 0
        Which diagonal; positive ones are above the main one.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        A matrix for a vector, and a vector for a matrix.

    Raises
    ------
    RuntimeError
        If the input has another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> torch.diag(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    if input.dim() == 1:
        return diag_embed(input, diagonal)
    if input.dim() == 2:
        return _rows.diagonal_copy(input, diagonal, 0, 1)
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")


def diagflat(input, offset=0):
    """Build a matrix with the elements of a tensor on a diagonal.

    Parameters
    ----------
    input : Tensor
        Any shape; it is flattened.
    offset : int, default 0
        Which diagonal; positive ones are above the main one.

    Returns
    -------
    Tensor
        A square matrix.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diagflat(torch.tensor([1, 2]), 1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
    return diag(input.contiguous().view(-1), offset)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Return matrices with the elements of the last dimension on a diagonal."""
    n = input.dim() + 1
    first, second = maybe_wrap_dim(dim1, n), maybe_wrap_dim(dim2, n)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    size = input.size(-1) + abs(offset)
    shape = list(input.shape[:-1])
    for d in sorted((first, second)):
        shape.insert(d, size)
    return _rows.diag_embed(input, shape, offset, dim1, dim2)


def trace(input):
    """Return the sum of a matrix's diagonal."""
    return _rows.trace(input)


def vander(x, N=None, increasing=False):
    """Return a Vandermonde matrix, whose columns are powers of a vector.

    Parameters
    ----------
    x : Tensor
        A vector.
    N : int, optional
        The number of columns; by default the size of `x`.
    increasing : bool, default False
        Begin with the power 0 instead of ending with it.

    Returns
    -------
    Tensor
        The shape ``(len(x), N)``.

    Raises
    ------
    RuntimeError
        If `x` is no vector, or `N` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [4, 2, 1],
            [9, 3, 1]])
    """
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.size(0) if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    powers = arange(n) if increasing else arange(n - 1, -1, -1)
    return x.unsqueeze(-1) ** powers


def _check_joined(input, given, dim):
    """Check the shape of a `prepend` or `append` argument of `diff`."""
    if given is None:
        return
    input.size(dim)
    if given.dim() != input.dim():
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for d in range(input.dim()):
        if d != dim % input.dim() and given.size(d) != input.size(d):
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input except "
                f"along the differencing dimension; input.size({d}) = {input.size(d)}, but got "
                f"tensor.size({d}) = {given.size(d)}"
            )


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Return the differences of neighbouring elements.

    Parameters
    ----------
    input : Tensor
        At least one dimension.
    n : int, default 1
        How often to take differences.
    dim : int, default -1
    prepend, append : Tensor, optional
        What to add before and after `input`.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `input`, with n elements less along `dim`.

    Raises
    ------
    RuntimeError
        If the input has no dimension, or `n` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.diff(torch.tensor([1, 3, 6]))
    tensor([2, 3])
    """
    if input.dim() == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    for given in (prepend, append):
        _check_joined(input, given, dim)
    if n == 0:
        return zeros_like(input).copy_(input)
    parts = [t for t in (prepend, input, append) if t is not None]
    if len(parts) > 1:
        input = _rows.cat(parts, dim)
    for _ in range(min(n, input.size(dim))):
        length = input.size(dim)
        before = input.narrow(dim, 0, length - 1)
        after = input.narrow(dim, 1, length - 1)
        is_bool = repr(input.dtype) == "torch.bool"
        input = after.logical_xor(before) if is_bool else after - before
    return input
