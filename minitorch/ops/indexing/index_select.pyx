"""index_select, index_add, index_copy, index_fill; all indices are checked before the first write."""

import warnings

from minitorch.core.dtype cimport (
    Bool, Complex32, Complex64, Float32, Int32, Int64, class_name, is_complex, is_floating,
    is_reduced_floating)
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_overlap
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, empty, is_contiguous, ndim, numel, sizes, sizes_tuple, strides, wrap_dim)
from minitorch.kernels.indexing.scatter cimport (
    SCATTER_ADD, SCATTER_MAX, SCATTER_MIN, SCATTER_MULTIPLY, SCATTER_SET, ScatterOp)
from minitorch.ops.common.addresses cimport (
    Walked, copied_to, find_bad_index, gather_walked, long_index, scatter_walked, walk_slices)
from minitorch.ops.common.bulk cimport shape_text, zeros_tuple
from minitorch.ops.common.checks cimport CARRIED, FLOAT8, WIDE_UNSIGNED, not_implemented, reject_dtypes
from minitorch.ops.common.copy cimport cast, clone, copy_, fill_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport item, scalar_tensor
from minitorch.ops.elementwise.binary cimport mul
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.indexing.gather cimport neutral_element
from minitorch.ops.shape.slices cimport select
from minitorch.ops.shape.views cimport expand

from minitorch.core.once import warn_once


cdef TensorImpl index_select(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                             TensorImpl out=None):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Walked w
    cdef long long bad
    cdef int d = wrap_dim(dim, ndim(self)), k
    if ndim(index) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if ndim(self) == 0 and numel(index) != 1:
        raise RuntimeError("index_select(): Index to scalar can have only 1 value, got "
                           f"{numel(index)} value(s)")
    if index.dtype != Int64 and index.dtype != Int32:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError("index_select(): self and result must have the same scalar type")
    for k in range(ndim(self)):
        n[k] = sizes(self)[k]
    if ndim(self):
        n[d] = numel(index)
    if out is None:
        out = empty(ndim(self), n, self.dtype)
    else:
        assert_no_internal_overlap(out)
        assert_no_overlap(out, self)
        assert_no_overlap(out, index)
        resize_output(out, ndim(self), n)
    if ndim(self) > 1 and sizes(self)[d] == 0 and numel(index):
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    if numel(out) and ndim(self) < 2:
        reject_dtypes(self.dtype, WIDE_UNSIGNED, "index_select")
    index = long_index(index)
    walk_slices(&w, self, d, index, out)
    if find_bad_index(index, w.size, False, &bad):
        if d == 1 and is_contiguous(out):           # PyTorch's kernel for this case has its own message
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={w.size}")
        raise IndexError("index out of range in self")
    gather_walked(&w, out, self, index)
    return out


cdef TensorImpl index_select_backward(TensorImpl grad, tuple self_sizes, Py_ssize_t dim,
                                      TensorImpl index):
    cdef TensorImpl result = zeros_tuple(self_sizes, grad.dtype)
    return index_add(result, dim, index, grad, 1, result)


cdef bint _as_scatter_add(TensorImpl self, int dim, object alpha) except -1:
    """Return whether PyTorch expands the index and calls scatter_add, whose errors and roundings differ."""
    return ndim(self) > 1 and alpha == 1 and (dim == 0 or dim == ndim(self) - 1)


cdef int _check_slices(str name, TensorImpl self, int d, TensorImpl index,
                       TensorImpl source) except -1:
    """Check the arguments of index_add and index_reduce."""
    cdef Py_ssize_t count
    cdef int k
    if ndim(index) > 1:
        raise IndexError(
            f"{name}_(): Index is supposed to be a vector, but got dim: {ndim(index)} with "
            f"type: {class_name(index.dtype)} and size: {shape_text(ndim(index), sizes(index))}")
    if index.dtype != Int64 and index.dtype != Int32:
        raise RuntimeError(f"{name}_(): Expected dtype int32/int64 for index but got: "
                           f"{class_name(index.dtype)}")
    if self.dtype != source.dtype:
        raise RuntimeError(f"{name}_(): self ({class_name(self.dtype)}) and source "
                           f"({class_name(source.dtype)}) must have the same scalar type")
    if d != 0 and d >= ndim(source):
        raise RuntimeError(f"{name}_(): Indexing dim {d} is out of bounds of the source tensor "
                           f"with dim {ndim(source)}")
    count = sizes(source)[d] if ndim(source) else 1
    if numel(index) != count:
        if ndim(source) == 0:
            raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        raise RuntimeError(f"{name}_(): Number of indices ({numel(index)}) should be equal to "
                           f"source.size(dim): ({count}), for dim: {d}")
    for k in range(ndim(self)):
        if ndim(self) != ndim(source) or k != d and sizes(self)[k] != sizes(source)[k]:
            break
    else:
        k = ndim(self)
    if k < ndim(self) or ndim(self) != ndim(source):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(sizes_tuple(self))} source.shape = "
            f"{list(sizes_tuple(source))}")
    return 0


cdef TensorImpl index_add(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                          object alpha=1, TensorImpl out=None):
    cdef Walked w
    cdef TensorImpl wide
    cdef long long bad
    cdef int d = wrap_dim(dim, ndim(self))
    _check_slices("index_add", self, d, index, source)
    reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "index_add_" if ndim(self) < 2 else "add_stub")
    if numel(self) == 0 and ndim(self) > 1:
        return copied_to(self, out, index, source)
    if self.dtype == Complex32:
        wide = index_add(cast(self, Complex64), dim, index, cast(source, Complex64), alpha)
        return cast(wide, Complex32) if out is None else copy_(copied_to(self, out, index, source), wide)
    index = long_index(index)
    if find_bad_index(index, sizes(self)[d] if ndim(self) else 1, False, &bad):
        if _as_scatter_add(self, d, alpha):
            raise RuntimeError(
                f"index {bad} is out of bounds for dimension {d} with size {sizes(self)[d]}")
        raise IndexError("index out of range in self")
    if type(alpha) is not int or alpha != 1:
        source = mul(source, scalar_tensor(alpha, source.dtype))
    out = copied_to(self, out, index, source)
    if is_reduced_floating(out.dtype) and _as_scatter_add(self, d, alpha):
        wide = cast(out, Float32)
        source = cast(source, Float32)
        walk_slices(&w, wide, d, index, source)
        scatter_walked(&w, SCATTER_ADD, wide, index, source)
        return copy_(out, wide)
    walk_slices(&w, out, d, index, source)
    scatter_walked(&w, SCATTER_ADD, out, index, source)
    return out


cdef TensorImpl index_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                             str reduce, bint include_self=True, TensorImpl out=None):
    cdef Walked w
    cdef long long bad
    cdef ScatterOp op
    cdef TensorImpl count
    cdef int d
    if reduce == "prod":
        op = SCATTER_MULTIPLY
    elif reduce == "mean":
        op = SCATTER_ADD
    elif reduce == "amax":
        op = SCATTER_MAX
    elif reduce == "amin":
        op = SCATTER_MIN
    else:
        raise RuntimeError("index_reduce(): Expected reduce to be one of prod, mean, amax or amin "
                           f"but got {reduce}.")
    d = wrap_dim(dim, ndim(self))
    _check_slices("index_reduce", self, d, index, source)
    warn_once("index_reduce() is in beta and the API may change at any time.")
    if numel(self) == 0:
        index = long_index(index)
        if find_bad_index(index, sizes(self)[d], False, &bad):
            if ndim(self) > 1:
                select(self, d, 0)                      # raises the IndexError for an empty dimension
            raise IndexError("index out of range in self")
        return copied_to(self, out, index, source)
    reject_dtypes(self.dtype, CARRIED,
                  "index_func_" if include_self and ndim(self) < 2 else "index_reduce_func_exclude_input_init")
    if not include_self and (is_complex(self.dtype) or self.dtype == Bool):
        raise not_implemented("index_reduce_func_exclude_input_init", self.dtype)
    if ndim(self) < 2 and (is_complex(self.dtype) or self.dtype == Bool):
        raise not_implemented("index_func_", self.dtype)
    if is_complex(self.dtype) and reduce[0] == "a" or self.dtype == Bool and reduce == "mean":
        name = {"amax": "maximum_cpu", "amin": "minimum_cpu", "mean": "div_floor_cpu"}[reduce]
        raise not_implemented(name, self.dtype)
    index = long_index(index)
    if find_bad_index(index, sizes(self)[d] if ndim(self) else 1, False, &bad):
        raise IndexError("index out of range in self")
    out = copied_to(self, out, index, source)
    if not include_self:
        _fill_slices(out, d, index, neutral_element(out.dtype, op))
    walk_slices(&w, out, d, index, source)
    scatter_walked(&w, op, out, index, source)
    if reduce == "mean" and numel(source):
        count = fill_(empty(ndim(out), sizes(out), out.dtype), 1)
        if not include_self:
            _fill_slices(count, d, index, 0)
        source = fill_(empty(ndim(source), sizes(source), out.dtype), 1)
        walk_slices(&w, count, d, index, source)
        scatter_walked(&w, SCATTER_ADD, count, index, source)
        div(out, count, None if is_floating(out.dtype) or is_complex(out.dtype) else "floor", out)
    return out


cdef int _fill_slices(TensorImpl self, int dim, TensorImpl index, object value) except -1:
    if numel(index):
        index_fill(self, dim, index, value, self)
    return 0


cdef str _slice_shape(TensorImpl t, int dim):
    """Return the sizes without one dimension, formatted like PyTorch."""
    return " ".join([str(sizes(t)[k]) for k in range(ndim(t)) if k != dim])


cdef TensorImpl index_copy(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl source,
                           TensorImpl out=None):
    cdef Walked w
    cdef long long bad
    cdef int d = wrap_dim(dim, ndim(self))
    if out is self:
        assert_no_internal_overlap(out)
        assert_no_overlap(out, index)
        assert_no_overlap(out, source)
    if ndim(index) > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {ndim(index)})")
    if ndim(source) == 0 and numel(index) != 1:
        raise IndexError("index_copy_(): When source is scalar, index should have one element (got "
                         f"{numel(index)})")
    if ndim(source) != ndim(self) and ndim(source) and ndim(self):
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({ndim(source)}), destination dimensionality "
            f"({ndim(self)})")
    if index.dtype != Int64:
        raise RuntimeError("index_copy_(): Expected a long tensor for index, but got "
                           f"{class_name(index.dtype)}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{class_name(self.dtype)} and (source) {class_name(source.dtype)}")
    if _slice_shape(self, d) != _slice_shape(source, d):
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {_slice_shape(self, d)} at dimension {d} and source slice shape: "
            f"{_slice_shape(source, d)} at dimension 0.")
    if ndim(source) and numel(index) != sizes(source)[d]:
        raise IndexError(f"index_copy_(): Number of indices ({numel(index)}) should be equal to "
                         f"source.size(dim) ({sizes(source)[d]})")
    if find_bad_index(index, sizes(self)[d] if ndim(self) else 1, False, &bad):
        raise IndexError(f"index_copy_(): index {bad} is out of bounds for dimension {d} with size "
                         f"{sizes(self)[d] if ndim(self) else 1}")
    reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "index_copy_cpu")
    out = copied_to(self, out, index, source)
    walk_slices(&w, out, d, index, source)
    scatter_walked(&w, SCATTER_SET, out, index, source)
    return out


cdef TensorImpl index_fill_tensor(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                  TensorImpl value, TensorImpl out=None):
    if ndim(value):
        raise RuntimeError("index_fill_ only supports a 0-dimensional value tensor, but got tensor "
                           f"with {ndim(value)} dimension(s).")
    return index_fill(self, dim, index, item(value), out)


cdef TensorImpl index_fill(TensorImpl self, Py_ssize_t dim, TensorImpl index, object value,
                           TensorImpl out=None):
    cdef Walked w
    cdef TensorImpl element
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t others = 1
    cdef long long bad
    cdef int d, k
    if index.dtype != Int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "index_fill_cpu")
    if isinstance(value, complex) and not is_complex(self.dtype):
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported")
    d = wrap_dim(dim, ndim(self))
    if ndim(index) > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    if out is not None and numel(out):
        for k in range(ndim(out)):
            if strides(out)[k] == 0 and sizes(out)[k] > 1:
                warnings.warn(
                    "Use of index_fill_ on expanded tensors is deprecated. Please clone() the "
                    "tensor before performing this operation. This also applies to advanced "
                    "indexing e.g. tensor[mask] = scalar", UserWarning, 1)
                break
        assert_no_overlap(out, index)
    element = scalar_tensor(value, self.dtype)
    for k in range(ndim(self)):
        others *= 1 if k == d else sizes(self)[k]
    if others == 0:                         # nothing to fill; PyTorch does not check the bounds
        return clone(self) if out is None else out
    if find_bad_index(index, sizes(self)[d] if ndim(self) else 1, True, &bad):
        raise IndexError(f"index {bad} is out of bounds for dimension {d} with size "
                         f"{sizes(self)[d] if ndim(self) else 1}")
    if out is None:
        out = clone(self)
    if numel(index) == 0 or numel(self) == 0:
        return out
    for k in range(ndim(self)):
        n[k] = sizes(self)[k]
    if ndim(self):
        n[d] = numel(index)
    element = expand(element, tuple([n[k] for k in range(ndim(self))]))
    walk_slices(&w, out, d, index, element)
    scatter_walked(&w, SCATTER_SET, out, index, element)
    return out
