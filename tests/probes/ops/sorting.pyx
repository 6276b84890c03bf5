"""What the tests see of these operators: `TensorImpl`s in and out. Not part of the package's
interface."""

from minitorch.ops.sorting cimport sorting, unique, binning


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "sort": lambda self, dim=-1, descending=False, values=None, indices=None:
        sorting.sort(self, dim, descending, values, indices),
    "sort_stable": lambda self, stable, dim=-1, descending=False, values=None, indices=None:
        sorting.sort_stable(self, stable, dim, descending, values, indices),
    "argsort": lambda self, dim=-1, descending=False: sorting.argsort(self, dim, descending),
    "msort": lambda self: sorting.msort(self),
    "topk": lambda self, k, dim=-1, largest=True, sorted=True, values=None, indices=None:
        sorting.topk(self, k, dim, largest, sorted, values, indices),
    "kthvalue": lambda self, k, dim=-1, keepdim=False, values=None, indices=None:
        sorting.kthvalue(self, k, dim, keepdim, values, indices),
    "median": lambda self: sorting.median(self),
    "nanmedian": lambda self: sorting.nanmedian(self),
    "median_dim": lambda self, dim, keepdim=False, values=None, indices=None:
        sorting.median_dim(self, dim, keepdim, values, indices),
    "nanmedian_dim": lambda self, dim, keepdim=False, values=None, indices=None:
        sorting.nanmedian_dim(self, dim, keepdim, values, indices),
    "mode": lambda self, dim=-1, keepdim=False, values=None, indices=None:
        sorting.mode(self, dim, keepdim, values, indices),
    "_unique2": lambda self, sorted=True, return_inverse=False, return_counts=False:
        unique._unique2(self, sorted, return_inverse, return_counts),
    "unique_dim": lambda self, dim, sorted=True, return_inverse=False, return_counts=False:
        unique.unique_dim(self, dim, sorted, return_inverse, return_counts),
    "unique_consecutive": lambda self, return_inverse=False, return_counts=False, dim=None:
        unique.unique_consecutive(self, return_inverse, return_counts, dim),
    "searchsorted": lambda sorted_sequence, self, out_int32=False, right=False, side=None,
        sorter=None, out=None:
        binning.searchsorted(sorted_sequence, self, out_int32, right, side, sorter, out),
    "bucketize": lambda self, boundaries, out_int32=False, right=False, out=None:
        binning.bucketize(self, boundaries, out_int32, right, out),
    "bincount": lambda self, weights=None, minlength=0: binning.bincount(self, weights, minlength),
    "histc": lambda self, bins=100, min=0, max=0, out=None:
        binning.histc(self, bins, min, max, out),
}
