"""The sorting, selecting and binning kernels on NumPy arrays, for their tests."""

import numpy as np

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.sorting.binning cimport bincount_kernel, histc_kernel, searchsorted_kernel
from minitorch.kernels.sorting.sorting cimport (
    kthvalue_kernel, median_kernel, sort_kernel, topk_kernel)
from minitorch.kernels.sorting.unique cimport unique_consecutive_kernel, unique_kernel

cnp.import_array()


cdef int _check(int status) except -1:
    if status:
        raise TypeError(f"the kernel returned {status}")
    return 0


def sort(cnp.ndarray x, bint descending, int repeat=1):
    """Values and indices of the sorted rows of a contiguous (m, n) array."""
    cdef cnp.ndarray values = np.empty_like(x), indices = np.empty(np.shape(x), np.int64)
    m, n = np.shape(x)
    for _ in range(repeat):
        _check(sort_kernel(x.data, values.data, indices.data, m, n,
                           from_numpy_type(x.dtype.num), descending))
    return values, indices


def topk(cnp.ndarray x, Py_ssize_t k, bint largest, bint sorted_, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray values = np.empty((m, k), x.dtype), indices = np.empty((m, k), np.int64)
    for _ in range(repeat):
        _check(topk_kernel(x.data, values.data, indices.data, m, n, k,
                           from_numpy_type(x.dtype.num), largest, sorted_))
    return values, indices


def kthvalue(cnp.ndarray x, Py_ssize_t k, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray values = np.empty(m, x.dtype), indices = np.empty(m, np.int64)
    for _ in range(repeat):
        _check(kthvalue_kernel(x.data, values.data, indices.data, m, n, k,
                               from_numpy_type(x.dtype.num)))
    return values, indices


def median(cnp.ndarray x, bint ignore_nan, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray values = np.empty(m, x.dtype), indices = np.empty(m, np.int64)
    for _ in range(repeat):
        _check(median_kernel(x.data, values.data, indices.data, m, n,
                             from_numpy_type(x.dtype.num), ignore_nan))
    return values, indices


def unique(cnp.ndarray x, bint consecutive, int repeat=1):
    """Values, inverse and counts of a contiguous (n,) array."""
    cdef Py_ssize_t n = len(x), found = 0
    cdef cnp.ndarray values = np.empty_like(x)
    cdef cnp.ndarray inverse = np.empty(n, np.int64), counts = np.empty(n, np.int64)
    for _ in range(repeat):
        if consecutive:
            found = unique_consecutive_kernel(x.data, n, from_numpy_type(x.dtype.num), values.data,
                                              inverse.data, counts.data)
        else:
            found = unique_kernel(x.data, n, from_numpy_type(x.dtype.num), values.data,
                                  inverse.data, counts.data)
    _check(found if found < 0 else 0)
    return values[:found], inverse, counts[:found]


def searchsorted(cnp.ndarray boundaries, cnp.ndarray values, bint right, bint out_int32=False,
                 cnp.ndarray sorter=None, int repeat=1):
    """boundaries (rows, n), values (rows, per_row)"""
    cdef cnp.ndarray out = np.empty(np.shape(values), np.int32 if out_int32 else np.int64)
    for _ in range(repeat):
        _check(searchsorted_kernel(
            boundaries.data, values.data, NULL if sorter is None else sorter.data, out.data,
            boundaries.shape[0], boundaries.shape[1], values.shape[1],
            from_numpy_type(values.dtype.num), right, out_int32))
    return out


def bincount(cnp.ndarray x, cnp.ndarray weights or None, Py_ssize_t bins):
    cdef cnp.ndarray out = np.zeros(bins, np.int64 if weights is None else weights.dtype)
    _check(bincount_kernel(
        x.data, from_numpy_type(x.dtype.num), NULL if weights is None else weights.data,
        0 if weights is None else from_numpy_type(weights.dtype.num), out.data, len(x)))
    return out


def histc(cnp.ndarray x, Py_ssize_t bins, double low, double high):
    cdef cnp.ndarray out = np.zeros(bins, x.dtype)
    _check(histc_kernel(x.data, out.data, len(x), bins, low, high, from_numpy_type(x.dtype.num)))
    return out
