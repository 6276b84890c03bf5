"""``torch.sparse``: functions of sparse tensors."""

from minitorch._sparse import functions as _functions
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
    """The product of a sparse matrix and another; the gradient of the sparse one is sparse.

    Parameters
    ----------
    mat1 : Tensor
        (n, m), sparse.
    mat2 : Tensor
        (m, p), dense or sparse.

    Returns
    -------
    Tensor
        (n, p), of the layout of `mat2`.

    Raises
    ------
    RuntimeError
        For shapes that do not go together.

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
    """``beta * mat + alpha * (mat1 @ mat2)`` of a sparse `mat1`.

    Parameters
    ----------
    mat : Tensor
        (n, p), dense.
    mat1 : Tensor
        (n, m), sparse.
    mat2 : Tensor
        (m, p), dense.
    beta, alpha : float

    Returns
    -------
    Tensor
        (n, p), dense.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.addmm(torch.ones(2, 2), torch.eye(2).to_sparse(), torch.ones(2, 2))
    tensor([[2., 2.],
            [2., 2.]])
    """
    return beta * mat + alpha * mm(mat1, mat2)


def sum(input, dim=None, dtype=None):
    """The sum of a sparse tensor; its gradient is sparse.

    Parameters
    ----------
    input : Tensor
        Sparse.
    dim : int or tuple of int, optional
        Over these dimensions; over all by default.
    dtype : dtype, optional
        That the elements are converted to first.

    Returns
    -------
    Tensor
        Sparse, while a sparse dimension is left.

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
    """`softmax` over the elements that are there.

    Parameters
    ----------
    input : Tensor
        Sparse.
    dim : int
    dtype : dtype, optional
        That the elements are converted to first.

    Returns
    -------
    Tensor
        Sparse, with the elements of the coalesced input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.softmax(torch.tensor([[0.0, 1.0], [1.0, 1.0]]).to_sparse(), 1).to_dense()
    tensor([[0.0000, 1.0000],
            [0.5000, 0.5000]])
    """
    return _sparse_softmax(input, dim, dtype, False)


def log_softmax(input, dim, *, dtype=None):
    """The logarithm of `softmax`, over the elements that are there.

    Parameters
    ----------
    input : Tensor
        Sparse.
    dim : int
    dtype : dtype, optional
        That the elements are converted to first.

    Returns
    -------
    Tensor
        Sparse, with the elements of the coalesced input.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sparse.log_softmax(torch.ones(1, 2).to_sparse(), 1).to_dense()
    tensor([[-0.6931, -0.6931]])
    """
    return _sparse_softmax(input, dim, dtype, True)


def spdiags(diagonals, offsets, shape, layout=None):
    """A sparse matrix of diagonals.

    Parameters
    ----------
    diagonals : Tensor
        (n, m): row k are the elements of a diagonal, each in the column of its number.
    offsets : Tensor
        (n,) of int64: where the diagonals begin, 0 for the main one, positive for one above it.
    shape : tuple of int
        (rows, columns).
    layout : layout, optional
        ``sparse_coo``.

    Returns
    -------
    Tensor
        Sparse.

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
    """Whether indices are checked when a sparse tensor is made; they always are here, so it is only noted.

    A context manager and a decorator.

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

    _enabled = False

    @staticmethod
    def is_enabled():
        """What was asked for last."""
        return check_sparse_tensor_invariants._enabled

    @staticmethod
    def enable():
        """Ask for checks."""
        check_sparse_tensor_invariants._enabled = True

    @staticmethod
    def disable():
        """Ask for no checks."""
        check_sparse_tensor_invariants._enabled = False

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
        check_sparse_tensor_invariants._enabled = self.state

    def __exit__(self, *error):
        check_sparse_tensor_invariants._enabled = self.saved_state
        self.saved_state = None

    def clone(self):
        """A context manager like this one, for one more use."""
        return self.__class__(self.state)
