"""Loops over raw pointers. They know no tensor."""

from minitorch.kernels import _scipy_blas

cython_blas = _scipy_blas.borrow()
