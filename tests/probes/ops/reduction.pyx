"""What the tests see of the reductions: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.core.dtype cimport NoType
from minitorch.ops.reduction cimport extremes, moments, reduction, scan


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
    "all": lambda self, dim=None, keepdim=False, out=None: reduction.all(self, dim, keepdim, out),
    "any": lambda self, dim=None, keepdim=False, out=None: reduction.any(self, dim, keepdim, out),
    "count_nonzero": lambda self, dim=None: reduction.count_nonzero(self, dim),
    "amax": lambda self, dim=(), keepdim=False, out=None: extremes.amax(self, dim, keepdim, out),
    "amin": lambda self, dim=(), keepdim=False, out=None: extremes.amin(self, dim, keepdim, out),
    "max": lambda self, out=None: extremes.max(self, out),
    "min": lambda self, out=None: extremes.min(self, out),
    "max_dim": lambda self, dim, keepdim=False, out=(None, None):
        extremes.max_dim(self, dim, keepdim, out[0], out[1]),
    "min_dim": lambda self, dim, keepdim=False, out=(None, None):
        extremes.min_dim(self, dim, keepdim, out[0], out[1]),
    "argmax": lambda self, dim=None, keepdim=False, out=None:
        extremes.argmax(self, dim, keepdim, out),
    "argmin": lambda self, dim=None, keepdim=False, out=None:
        extremes.argmin(self, dim, keepdim, out),
    "aminmax": lambda self, dim=None, keepdim=False: extremes.aminmax(self, dim, keepdim),
    "var": lambda self, dim=None, correction=None, keepdim=False, out=None:
        moments.var(self, dim, correction, keepdim, out),
    "std": lambda self, dim=None, correction=None, keepdim=False, out=None:
        moments.std(self, dim, correction, keepdim, out),
    "var_mean": lambda self, dim=None, correction=None, keepdim=False:
        moments.var_mean(self, dim, correction, keepdim),
    "std_mean": lambda self, dim=None, correction=None, keepdim=False:
        moments.std_mean(self, dim, correction, keepdim),
    "linalg_vector_norm": lambda self, ord=2, dim=None, keepdim=False, dtype=NoType, out=None:
        moments.linalg_vector_norm(self, ord, dim, keepdim, dtype, out),
    "norm": lambda self, p=None, dim=None, keepdim=False, dtype=NoType, out=None:
        moments.norm(self, p, dim, keepdim, dtype, out),
    "logsumexp": lambda self, dim, keepdim=False, out=None:
        moments.logsumexp(self, dim, keepdim, out),
    "cumsum": lambda self, dim, dtype=NoType, out=None: scan.cumsum(self, dim, dtype, out),
    "cumprod": lambda self, dim, dtype=NoType, out=None: scan.cumprod(self, dim, dtype, out),
    "logcumsumexp": lambda self, dim, out=None: scan.logcumsumexp(self, dim, out),
    "cummax": lambda self, dim, out=(None, None): scan.cummax(self, dim, out[0], out[1]),
    "cummin": lambda self, dim, out=(None, None): scan.cummin(self, dim, out[0], out[1]),
}
