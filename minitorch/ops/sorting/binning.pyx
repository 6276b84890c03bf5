# cython: wraparound=True
"""Bins and histograms: searchsorted, bucketize, bincount, histc."""


from libc.math cimport isfinite

from minitorch.core.dtype cimport (
    Bool, Float32, Float64, Int32, Int64, UInt8, c_name, class_name, has_float_kernels, is_complex,
    is_integral)
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, is_contiguous, ndim, numel, sizes, sizes_tuple)
from minitorch.kernels.sorting.binning cimport bincount_kernel, histc_kernel, searchsorted_kernel
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport CARRIED, WIDE_UNSIGNED, reject_dtypes
from minitorch.ops.common.copy cimport cast, contiguous, copy_
from minitorch.ops.common.output cimport prepare_output, resize_output
from minitorch.ops.common.scalar cimport item
from minitorch.ops.reduction.extremes cimport max as max_of_all
from minitorch.ops.reduction.extremes cimport min as min_of_all

from minitorch.core.once import warn_once


# ---- searchsorted

cdef int _check_search(TensorImpl edges, TensorImpl self, bint out_int32, bint right, object side,
                       TensorImpl sorter, TensorImpl out) except -1:
    cdef str name = "torch.searchsorted(): "
    if side is not None:
        if side not in ("left", "right"):
            raise RuntimeError(f"{name}side can only be 'left' or 'right' but got {side}")
        if right and side == "left":
            raise RuntimeError(f"{name}side and right can't be set to opposites, got side of left "
                               "while "
                               "right was True")
    if sorter is not None:
        if sizes_tuple(sorter) != sizes_tuple(edges):
            raise RuntimeError(
                f"{name}boundary and sorter must have the same size, but got boundary tensor "
                f"{list(sizes_tuple(edges))}and got sorter tensor {list(sizes_tuple(sorter))}")
        if sorter.dtype != Int64:
            raise RuntimeError(f"{name}sorter must be a tensor of long dtype but got dtype "
                               f"{class_name(sorter.dtype)}")
        if numel(sorter) and (item(min_of_all(sorter)) < 0
                              or item(max_of_all(sorter)) >= sizes(sorter)[ndim(sorter) - 1]):
            raise RuntimeError(f"{name}sorter index out of range")
    if ndim(self) == 0 and ndim(edges) != 1:
        raise RuntimeError(
            f"{name}input value can be a scalar only when boundaries tensor dimension is 1, but we "
            "got "
            f"boundaries tensor dim({ndim(edges)}) and input value's dim(0) numel(1)")
    if ndim(edges) == 0:
        raise RuntimeError(f"{name}boundaries tensor should have positive dimension, but got 0 "
                           "dimension")
    if ndim(edges) > 1 and (ndim(edges) != ndim(self)
                            or sizes_tuple(edges)[:-1] != sizes_tuple(self)[:-1]):
        raise RuntimeError(
            f"{name}boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(sizes_tuple(edges))} and input value tensor {list(sizes_tuple(self))}")
    if out is not None and out.dtype != (Int32 if out_int32 else Int64):
        raise RuntimeError(
            f"{name}output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) "
            "depending on "
            "whether out_int32 flag is True, but we got output tensor's dtype "
            f"{class_name(out.dtype)} and "
            f"out_int32 flag is {bool(out_int32)}")
    return 0


cdef int _warn_of_copy(str name) except -1:
    warn_once(
        f"torch.searchsorted(): {name} tensor is non-contiguous, this will lower the performance "
        "due to extra data copy when converting non-contiguous tensor to contiguous, please use "
        f"contiguous {name} tensor if possible. This message will only appear once per program.")
    return 0


cdef TensorImpl searchsorted(TensorImpl sorted_sequence, TensorImpl self, bint out_int32=False,
                             bint right=False, object side=None, TensorImpl sorter=None,
                             TensorImpl out=None):
    cdef TensorImpl result, edges
    cdef Py_ssize_t rows = 1, n, per_row
    cdef int d, missing, dtype
    cdef char* e
    cdef char* x
    cdef char* s = NULL
    cdef char* y
    _check_search(sorted_sequence, self, out_int32, right, side, sorter, out)
    right = right or side == "right"
    dtype = result_type(sorted_sequence, self, None)
    if sorted_sequence.dtype == self.dtype:
        dtype = self.dtype
    if is_complex(dtype) or dtype == Bool:
        raise NotImplementedError('"searchsorted_out_cpu" not implemented for '
                                  f'\'{class_name(dtype)}\'')
    if not is_contiguous(self):
        _warn_of_copy("input value")
    if not is_contiguous(sorted_sequence):
        _warn_of_copy("boundary")
    if sorter is not None and not is_contiguous(sorter):
        _warn_of_copy("sorter")
    result = empty(ndim(self), sizes(self), Int32 if out_int32 else Int64)
    n = sizes(sorted_sequence)[ndim(sorted_sequence) - 1]
    for d in range(ndim(sorted_sequence) - 1):
        rows *= sizes(sorted_sequence)[d]
    if numel(self):
        per_row = numel(self) // rows
        edges = contiguous(cast(sorted_sequence, dtype))
        self = contiguous(cast(self, dtype))
        e, x, y = data(edges), data(self), data(result)
        if sorter is not None:
            sorter = contiguous(sorter)
            s = data(sorter)
        with nogil:
            missing = searchsorted_kernel(e, x, s, y, rows, n, per_row, dtype, right, out_int32)
        if missing:
            raise NotImplementedError(
                f'"searchsorted_out_cpu" not implemented for \'{class_name(dtype)}\'')
    if out is None:
        return result
    resize_output(out, ndim(result), sizes(result))
    return copy_(out, result)


cdef TensorImpl bucketize(TensorImpl self, TensorImpl boundaries, bint out_int32=False,
                          bint right=False, TensorImpl out=None):
    if ndim(boundaries) != 1:
        raise RuntimeError("boundaries tensor must be 1 dimension, but got "
                           f"dim({ndim(boundaries)})")
    return searchsorted(boundaries, self, out_int32, right, None, None, out)


# ---- counting

cdef TensorImpl bincount(TensorImpl self, TensorImpl weights=None, Py_ssize_t minlength=0):
    cdef TensorImpl result
    cdef Py_ssize_t bins
    cdef int dtype = Int64
    if not is_integral(self.dtype):
        raise NotImplementedError('"bincount_cpu" not implemented for '
                                  f'\'{class_name(self.dtype)}\'')
    reject_dtypes(self.dtype, WIDE_UNSIGNED, "bincount_cpu")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if ndim(self) == 1 and numel(self) == 0:
        return zeros(1, &minlength, Int64)
    if ndim(self) != 1 or item(min_of_all(self)) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None:
        if ndim(weights) != 1 or numel(weights) != numel(self):
            raise RuntimeError("weights should be 1-d and have the same length as input")
        dtype = Float32 if weights.dtype == Float32 else Float64
        weights = contiguous(cast(weights, dtype))
    bins = item(max_of_all(self)) + 1
    bins = bins if bins > minlength else minlength
    result = zeros(1, &bins, dtype)
    self = contiguous(self)
    bincount_kernel(data(self), self.dtype, NULL if weights is None else data(weights), dtype,
                    data(result), numel(self))
    return result


cdef TensorImpl histc(TensorImpl self, Py_ssize_t bins=100, object min=0, object max=0,
                      TensorImpl out=None):
    cdef double low = min, high = max
    cdef TensorImpl result
    cdef int dtype = self.dtype
    if dtype == UInt8 and (low < 0 or high < 0):
        raise RuntimeError("value cannot be converted to type uint8_t without overflow")
    if not has_float_kernels(dtype):
        # PyTorch's error names the step that fails first: the search for the range, the bin edges or the counting
        name = "histogram_cpu"
        reject_dtypes(dtype, CARRIED, "aminmax_cpu" if low == high and numel(self) else "linspace_cpu")
        if is_complex(dtype) and low == high and numel(self):
            name = "aminmax_cpu"
        elif dtype == Bool:
            name = "linspace_cpu"
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if out is not None and out.dtype != dtype:
        raise RuntimeError("torch.histogram: input tensor and hist tensor should have the same "
                           f"dtype, but got input {c_name(dtype)} and hist "
                           f"{c_name(out.dtype)}")
    if low == high and numel(self):
        low, high = item(min_of_all(self)), item(max_of_all(self))
    if low == high:
        low, high = low - 1, high + 1
    if not isfinite(low) or not isfinite(high):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    result = zeros(1, &bins, dtype)
    self = contiguous(self)
    histc_kernel(data(self), data(result), numel(self), bins, low, high, dtype)
    if out is None:
        return result
    prepare_output(out, dtype, 1, &bins)
    return copy_(out, result)
