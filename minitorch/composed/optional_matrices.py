"""Matrix products and forms for matrices that may be sparse or None.

PyTorch's counterpart is ``torch/_linalg_utils.py``.
"""

from minitorch._sparse.coo import is_sparse as _is_sparse
from minitorch._tensor import Tensor
from minitorch.composed.matrix_decompositions import linalg_eigh, linalg_qr
from minitorch.core.dtype import _dtypes

__all__ = ["basis", "bform", "get_floating_dtype", "is_sparse", "matmul", "qform", "symeig"]


def is_sparse(A):
    """Return whether a tensor is sparse; raise TypeError for other objects."""
    if isinstance(A, Tensor):
        return _is_sparse(A)
    raise TypeError(f"expected Tensor but got {type(A)}")


def get_floating_dtype(A):
    """Return the dtype to compute in: A's, or float32 if A has integers."""
    return A.dtype if A.is_floating_point() or A.is_complex() else _dtypes()["float32"]


def matmul(A, B):
    """Return the product ``A B``, or B if A is None, which means the identity."""
    return B if A is None else A.matmul(B)


def bform(X, A, Y):
    """Compute the bilinear form ``X^H A Y``."""
    return X.mH.matmul(matmul(A, Y))


def qform(A, S):
    """Compute the quadratic form ``S^H A S``."""
    return bform(S, A, S)


def basis(A):
    """Return an orthonormal basis of the span of A's columns."""
    return linalg_qr(A).Q


def symeig(A, largest=False):
    """Return the eigenvalues and eigenvectors of a Hermitian matrix, in sorted order."""
    E, Z = linalg_eigh(A)
    return (E.flip((-1,)), Z.flip((-1,))) if largest else (E, Z)
