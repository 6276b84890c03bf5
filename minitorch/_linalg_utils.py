"""Products and forms of matrices that may be sparse, and may not be given at all.

PyTorch's counterpart is ``torch/_linalg_utils.py``.
"""

from minitorch._sparse.coo import is_sparse as _is_sparse
from minitorch._tensor import Tensor
from minitorch.composed.matrix_decompositions import linalg_eigh, linalg_qr
from minitorch.core.dtype import _dtypes

__all__ = ["basis", "bform", "get_floating_dtype", "is_sparse", "matmul", "qform", "symeig"]


def is_sparse(A):
    """Whether a tensor is sparse; anything but a tensor is refused."""
    if isinstance(A, Tensor):
        return _is_sparse(A)
    raise TypeError(f"expected Tensor but got {type(A)}")


def get_floating_dtype(A):
    """The dtype to compute in: that of A, or float32 for whole numbers."""
    return A.dtype if A.is_floating_point() or A.is_complex() else _dtypes()["float32"]


def matmul(A, B):
    """The product; B where A is None, which stands for the identity."""
    return B if A is None else A.matmul(B)


def bform(X, A, Y):
    """The bilinear form ``X^H A Y``."""
    return X.mH.matmul(matmul(A, Y))


def qform(A, S):
    """The quadratic form ``S^H A S``."""
    return bform(S, A, S)


def basis(A):
    """Orthonormal columns that span the columns of A."""
    return linalg_qr(A).Q


def symeig(A, largest=False):
    """Eigenvalues and eigenvectors of a Hermitian matrix, in ascending or descending order."""
    E, Z = linalg_eigh(A)
    return (E.flip((-1,)), Z.flip((-1,))) if largest else (E, Z)
