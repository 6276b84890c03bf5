"""What the tests see of the reductions: `TensorImpl`s in and out. Not part of the package's interface."""

from minitorch.core.dtype cimport NoType
from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.ops cimport reduction


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


def names():
    """The operators that `call` knows."""
    return sorted(_OPERATORS)


_OPERATORS = {
    "sum_to_size": lambda self, size: reduction.sum_to_size(self, size),
    "sum": lambda self, dim=None, keepdim=False, dtype=NoType, out=None:
        reduction.sum(self, dim, keepdim, dtype, out),
    "nansum": lambda self, dim=None, keepdim=False, dtype=NoType, out=None:
        reduction.nansum(self, dim, keepdim, dtype, out),
    "mean": lambda self, dim=None, keepdim=False, dtype=NoType, out=None:
        reduction.mean(self, dim, keepdim, dtype, out),
    "nanmean": lambda self, dim=None, keepdim=False, dtype=NoType, out=None:
        reduction.nanmean(self, dim, keepdim, dtype, out),
    "prod": lambda self, dtype=NoType, out=None: reduction.prod(self, dtype, out),
    "prod_dim_int": lambda self, dim, keepdim=False, dtype=NoType, out=None:
        reduction.prod_dim_int(self, dim, keepdim, dtype, out),
}
