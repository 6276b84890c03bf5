"""``torch.sparse``: functions of sparse tensors."""

from minitorch._sparse import functions as _functions
from minitorch._sparse.constructor import Invariants as _Invariants
from minitorch._sparse.coo import is_sparse as _is_sparse
from minitorch._sparse.resizing import diagonals as _diagonals
from minitorch._sparse.softmax import sparse_softmax as _sparse_softmax
from minitorch._sparse.types import tensor_types_of_sparse as _tensor_types
from minitorch.autograd.by_sample import without_batching_rule as _without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.core.decorator import DecoratorContextManager as _DecoratorContextManager
from minitorch.core.tensor_impl import maybe_wrap_dim
from minitorch.core.types import sparse_coo as _sparse_coo
from minitorch.namespace.absent import absent as _absent

__all__ = [
    "addmm",
    "check_sparse_tensor_invariants",
    "log_softmax",
    "mm",
    "sampled_addmm",
    "softmax",
    "spdiags",
    "sum",
]

globals().update(_tensor_types())
sampled_addmm = _absent("torch.sparse.sampled_addmm")


@_without_batching_rule("aten::_sparse_mm")
def mm(mat1, mat2):
    """Return the product of a sparse matrix and another matrix.

    The gradient of the sparse matrix is sparse.

    Parameters
    ----------
    mat1 : Tensor
        A sparse matrix, (n, m).
    mat2 : Tensor
        A dense or sparse matrix, (m, p).

    Returns
    -------
    Tensor
        The product, (n, p), in the layout of `mat2`.

    Raises
    ------
    RuntimeError
        If the shapes do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> a = torch.eye(2).to_sparse()
    >>> torch.sparse.mm(a, torch.ones(2, 3))
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """
    if _is_sparse(mat1) and not _is_sparse(mat2):
        return _functions.SparseMm.apply(mat1, mat2)
    if _is_sparse(mat1) or not _is_sparse(mat2):
        return _ops.mm(mat1, mat2)
    return _functions.SparseMm.apply(mat2.t(), mat1.t()).t()


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    """Return ``beta * mat + alpha * (mat1 @ mat2)`` for a sparse `mat1`.

    Parameters
    ----------
    mat : Tensor
        A dense matrix, (n, p).
    mat1 : Tensor
        A sparse matrix, (n, m).
    mat2 : Tensor
        A dense matrix, (m, p).
    beta, alpha : float

    Returns
    -------
    Tensor
        A dense matrix, (n, p).

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.addmm(torch.ones(2, 2), torch.eye(2).to_sparse(), torch.ones(2, 2))
    tensor([[2., 2.],
            [2., 2.]])
    """
    return beta * mat + alpha * mm(mat1, mat2)


def sum(input, dim=None, dtype=None):
    """Return the sum of a sparse tensor over dimensions; its gradient is sparse.

    Parameters
    ----------
    input : Tensor
        A sparse tensor.
    dim : int or tuple of int, optional
        The dimensions to sum over; by default all.
    dtype : dtype, optional
        The dtype to which the elements are converted first.

    Returns
    -------
    Tensor
        The sum, sparse if a sparse dimension is left.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.sum(torch.eye(3).to_sparse())
    tensor(3.)
    """
    if dtype is not None:
        input = input.to(dtype)
    if dim is None:
        return input.coalesce().values().sum(dtype=dtype)
    if not _is_sparse(input):
        raise RuntimeError("_sparse_sum expected a sparse tensor")
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    dims = tuple(maybe_wrap_dim(d, input.dim()) for d in dims)
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return _functions.SparseSum.apply(input, dims)


def softmax(input, dim, *, dtype=None):
    """Apply softmax along a dimension to the specified elements.

    Parameters
    ----------
    input : Tensor
        A sparse tensor.
    dim : int
    dtype : dtype, optional
        The dtype to which the elements are converted first.

    Returns
    -------
    Tensor
        A sparse tensor with the indices of the coalesced input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.softmax(torch.tensor([[0.0, 1.0], [1.0, 1.0]]).to_sparse(), 1).to_dense()
    tensor([[0.0000, 1.0000],
            [0.5000, 0.5000]])
    """
    return _sparse_softmax(input, dim, dtype, False)


def log_softmax(input, dim, *, dtype=None):
    """Apply the logarithm of softmax along a dimension to the specified elements.

    Parameters
    ----------
    input : Tensor
        A sparse tensor.
    dim : int
    dtype : dtype, optional
        The dtype to which the elements are converted first.

    Returns
    -------
    Tensor
        A sparse tensor with the indices of the coalesced input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.log_softmax(torch.ones(1, 2).to_sparse(), 1).to_dense()
    tensor([[-0.6931, -0.6931]])
    """
    return _sparse_softmax(input, dim, dtype, True)


def spdiags(diagonals, offsets, shape, layout=None):
    """Build a sparse matrix from its diagonals.

    Parameters
    ----------
    diagonals : Tensor
        A tensor of shape (n, m). Row k holds the elements of a diagonal, each at the index of its
        column.
    offsets : Tensor
        The offsets of the diagonals, (n,) of int64: 0 for the main diagonal, positive above it.
    shape : tuple of int
        The shape (rows, columns).
    layout : layout, optional
        Only ``sparse_coo`` is supported.

    Returns
    -------
    Tensor
        The sparse matrix.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.spdiags(torch.ones(1, 3), torch.tensor([1]), (2, 3)).to_dense()
    tensor([[0., 1., 0.],
            [0., 0., 1.]])
    """
    if layout is not None and layout is not _sparse_coo:
        if "sparse" in str(layout):
            raise NotImplementedError(f"spdiags with the layout {layout}")
        raise RuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got "
            f"{str(layout).removeprefix('torch.').capitalize()}"
        )
    return _diagonals(diagonals, offsets, shape)


class check_sparse_tensor_invariants(_DecoratorContextManager):
    """A switch for a check that new sparse tensors are coalesced if the program says so.

    Whether indices are inside of the tensor is always checked. It is a context manager and a decorator.

    Parameters
    ----------
    enable : bool, default True

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.sparse.check_sparse_tensor_invariants():
    ...     torch.sparse.check_sparse_tensor_invariants.is_enabled()
    True
    >>> torch.sparse.check_sparse_tensor_invariants.is_enabled()
    False
    """

    @staticmethod
    def is_enabled():
        """Return the current setting."""
        return _Invariants.enabled

    @staticmethod
    def enable():
        """Turn the switch on."""
        _Invariants.choose(True)

    @staticmethod
    def disable():
        """Turn the switch off."""
        _Invariants.choose(False)

    def __init__(self, enable=True):
        self.state = enable
        self.saved_state = None

    def __enter__(self):
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context manager "
                "instance for context nesting."
            )
        self.saved_state = self.is_enabled()
        _Invariants.choose(self.state)

    def __exit__(self, *error):
        _Invariants.choose(self.saved_state)
        self.saved_state = None

    def clone(self):
        """Return a new context manager with the same setting."""
        return self.__class__(self.state)
