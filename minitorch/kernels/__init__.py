"""Loops over raw pointers, which know nothing about tensors."""

from minitorch.kernels import _scipy_blas

cython_blas = _scipy_blas.borrow()
