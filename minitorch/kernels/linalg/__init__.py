"""Loops of linear algebra: matrix products, factorizations, distances."""

from minitorch.kernels.linalg import _scipy_blas

cython_blas = _scipy_blas.borrow()
