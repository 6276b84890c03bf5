"""Advanced indexing as one gather or scatter.

`_plan` broadcasts the index tensors to one shape and combines them into one tensor of byte offsets; the
dimensions without an index are iterated next to it. The dimensions of the index replace the indexed ones where
those are adjacent, else they come first.

References
----------
These steps and their errors have the order of PyTorch's ``AdvancedIndex``
(``ATen/native/TensorAdvancedIndexing.cpp``).
"""

import warnings

from minitorch.core.dtype cimport (
    Bool, Float8E8m0fnu, Int32, Int64, UInt8, carrier_of, class_name, is_wide_unsigned, itemsizes)
from minitorch.core.iterator cimport MAX_OPERANDS, TensorIterator, infer_shape, output_geometry
from minitorch.core.overlap cimport assert_no_overlap
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, as_strided_impl, data, empty, empty_geometry, ndim,
    numel,
    release_geometry, sizes, sizes_tuple, strides)
from minitorch.kernels.indexing.indexing cimport BadIndex, index_gather, index_offsets
from minitorch.kernels.indexing.scatter cimport SCATTER_ADD, SCATTER_SET, index_scatter
from minitorch.ops.common.addresses cimport byte_strides, long_index
from minitorch.ops.common.bulk cimport RELEASE_GIL, shape_text, zeros_tuple
from minitorch.ops.common.checks cimport FLOAT8, WIDE_UNSIGNED, reject_dtypes
from minitorch.ops.common.copy cimport cast, clone, copy_
from minitorch.ops.indexing.masked cimport masked_select, nonzero_numpy
from minitorch.ops.indexing.masked cimport masked_fill
from minitorch.ops.shape.views cimport expand, view

from minitorch.core.error_pages import explained


# ---- the index tensors

cdef list _expanded(TensorImpl self, list indices):
    """Return int64 indices only: a mask becomes the positions of its true elements."""
    cdef list result = []
    cdef TensorImpl t
    cdef int d, at
    for entry in indices:
        t = entry
        if t is not None and t.dtype not in (Int64, Int32, UInt8, Bool):
            raise explained(IndexError(
                "tensors used as indices must be long, int, byte or bool tensors"), "index-dtype")
    for entry in indices:
        t = entry
        if t is None:
            result.append(None)
            continue
        if t.dtype != UInt8 and t.dtype != Bool:
            result.append(long_index(t))
            continue
        if t.dtype == UInt8:
            warnings.warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool "
                          "instead.", UserWarning, 1)
        at = len(result)
        for d in range(ndim(t)):
            if at + d >= ndim(self) or sizes(t)[d] != sizes(self)[at + d]:
                raise IndexError(
                    f"The shape of the mask {shape_text(ndim(t), sizes(t))} at index {d} does not "
                    f"match the shape of the indexed tensor {shape_text(ndim(self), sizes(self))} "
                    f"at index {at + d}")
        if ndim(t):
            result.extend(nonzero_numpy(t))
        else:
            raise IndexError("a mask without dimensions cannot be an index")
    if len(result) > ndim(self):
        raise IndexError(f"too many indices for tensor of dimension {ndim(self)}")
    return result


cdef int _broadcast(list given, Py_ssize_t* n) except -1:
    """Store the common shape of the index tensors in `n` and return its number of dimensions."""
    cdef TensorImpl t
    cdef int dims = 0, d
    cdef Py_ssize_t size
    cdef bint fits = True
    for t in given:
        dims = max(dims, ndim(t))
    for d in range(dims):
        n[d] = 1
    for t in given:
        for d in range(ndim(t)):
            size = sizes(t)[ndim(t) - 1 - d]
            if n[dims - 1 - d] == 1:
                n[dims - 1 - d] = size
            elif size != 1 and size != n[dims - 1 - d]:
                fits = False
    if not fits:
        shapes = ", ".join([str(list(sizes_tuple(t))) for t in given])
        raise IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            f"{shapes}")
    return dims


# ---- the plan

cdef class _Plan:
    cdef int ndim                              # of the result
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef Py_ssize_t[MAX_DIMS] strides  # strides of self for the result's dimensions, in elements; 0 where indexed
    cdef Py_ssize_t[MAX_DIMS] index_strides    # strides of the offsets for the result's dimensions, in bytes
    cdef int before                            # position of the first dimension of the index
    cdef int index_ndim
    cdef list indices                          # the index tensors, all of one shape
    cdef Py_ssize_t[MAX_DIMS] dim_sizes        # size of the dimension that each of them indexes
    cdef Py_ssize_t[MAX_DIMS] dim_strides      # strides of these dimensions, in bytes
    cdef TensorImpl offsets                    # in bytes, row-major; see `_fill_offsets`


cdef _Plan _plan(TensorImpl self, list indices):
    cdef _Plan plan = _Plan.__new__(_Plan)
    cdef Py_ssize_t[MAX_DIMS] n
    cdef bint[MAX_DIMS] indexed
    cdef list expanded = _expanded(self, indices)
    cdef int d, k = 0, first = -1, last = -1, before, dims
    cdef Py_ssize_t step = 8
    cdef bint no_place = False
    cdef tuple shape
    for d in range(ndim(self)):
        indexed[d] = d < len(expanded) and expanded[d] is not None
        if indexed[d]:
            first = d if first < 0 else first
            last = d
            plan.dim_sizes[k] = sizes(self)[d]
            plan.dim_strides[k] = strides(self)[d] * itemsizes[self.dtype]
            no_place = no_place or sizes(self)[d] == 0
            k += 1
    expanded = [t for t in expanded if t is not None]
    if not expanded:
        raise IndexError("at least one index must be provided")
    dims = _broadcast(expanded, n)
    if ndim(self) - k + dims > MAX_DIMS:
        raise RuntimeError(f"tensors with more than {MAX_DIMS} dimensions are not supported, got "
                           f"{ndim(self) - k + dims}")
    shape = tuple([n[d] for d in range(dims)])
    plan.indices = [expand(t, shape) for t in expanded]
    plan.index_ndim = dims
    # if the indices are not adjacent, their dimensions come first
    plan.before = before = first if last - first + 1 == k else 0
    plan.ndim = 0
    for d in range(ndim(self)):
        if plan.ndim == before:
            plan.ndim += dims
        if not indexed[d]:
            plan.shape[plan.ndim] = sizes(self)[d]
            plan.strides[plan.ndim] = strides(self)[d]
            plan.index_strides[plan.ndim] = 0
            plan.ndim += 1
    if plan.ndim == before:
        plan.ndim += dims
    for d in range(dims - 1, -1, -1):
        plan.shape[before + d] = n[d]
        plan.strides[before + d] = 0
        plan.index_strides[before + d] = step
        step *= n[d]
    if no_place and step:
        raise IndexError("index is out of bounds for dimension with size 0")
    return plan


cdef int _fill_offsets(_Plan plan) except -1:
    """Check the bounds and compute the offsets; this is the last step before elements are moved."""
    cdef Py_ssize_t[MAX_DIMS * MAX_DIMS] s
    cdef const char* pointers[MAX_DIMS]
    cdef TensorImpl t
    cdef BadIndex bad
    cdef int k = 0, dims = plan.index_ndim, count = len(plan.indices)
    cdef bint good
    cdef Py_ssize_t* n
    cdef Py_ssize_t* out
    cdef Py_ssize_t* dim_sizes = plan.dim_sizes
    cdef Py_ssize_t* dim_strides = plan.dim_strides
    plan.offsets = empty(dims, plan.shape + plan.before, Int64)
    n = sizes(plan.offsets)
    out = <Py_ssize_t*>data(plan.offsets)
    k = 0
    for t in plan.indices:
        pointers[k] = data(t)
        byte_strides(t, s + k * dims)
        k += 1
    if numel(plan.offsets) >= RELEASE_GIL:
        with nogil:
            good = index_offsets(dims, n, count, pointers, s, dim_sizes, dim_strides, out, &bad)
    else:
        good = index_offsets(dims, n, count, pointers, s, dim_sizes, dim_strides, out, &bad)
    if not good:
        raise explained(IndexError(
            f"index {bad.value} is out of bounds for dimension {bad.which} with size "
            f"{bad.size}"), "index-out-of-bounds")
    return 0


cdef TensorImpl _new_result(TensorImpl self, _Plan plan):
    """Return memory with the strides that PyTorch's iterator over source and indices gives a result."""
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[MAX_OPERANDS]
    cdef SizesAndStrides* g
    cdef TensorImpl t, result
    cdef int k
    cdef tuple after = (1,) * (plan.ndim - plan.before - plan.index_ndim)
    cdef list held = [as_strided_impl(self, plan.ndim, plan.shape, plan.strides, 0)]
    if len(plan.indices) > MAX_OPERANDS - 2:
        return empty(plan.ndim, plan.shape, self.dtype)
    for t in plan.indices:
        held.append(view(t, (1,) * plan.before + sizes_tuple(t) + after))
    for k in range(len(held)):
        inputs[k] = (<TensorImpl>held[k]).geometry
    infer_shape(&it, len(held), inputs)
    g = output_geometry(&it)
    try:
        result = empty_geometry(g, self.dtype)
    finally:
        release_geometry(g)
    return result


# ---- the operators

cdef int _check_count(TensorImpl self, list indices) except -1:
    if not indices:
        raise IndexError("at least one index must be provided")
    if len(indices) > ndim(self):
        raise IndexError(f"too many indices for tensor of dimension {ndim(self)} (got "
                         f"{len(indices)})")
    return 0


cdef TensorImpl index(TensorImpl self, list indices):
    cdef _Plan plan
    cdef TensorImpl result, first = indices[0] if indices else None
    cdef Py_ssize_t[MAX_DIMS] of
    cdef Py_ssize_t[MAX_DIMS] to
    cdef int d, dims
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef Py_ssize_t* n
    cdef Py_ssize_t* at_strides
    cdef char* a
    cdef char* b
    cdef char* at
    _check_count(self, indices)
    if first is not None and first.dtype == Bool and len(indices) == 1 and ndim(self) and (
            sizes_tuple(first) == sizes_tuple(self)) and not is_wide_unsigned(self.dtype):
        return masked_select(self, first)
    plan = _plan(self, indices)
    result = _new_result(self, plan)
    # as in PyTorch, an index out of bounds is not found if the result is empty
    if numel(result) == 0:
        return result
    _fill_offsets(plan)
    for d in range(plan.ndim):
        of[d] = plan.strides[d] * item
    byte_strides(result, to)
    a = data(result)
    b = data(self)
    at = data(plan.offsets)
    dims = plan.ndim
    n = plan.shape
    at_strides = plan.index_strides
    if numel(result) >= RELEASE_GIL:
        with nogil:
            index_gather(dims, n, a, to, b, of, at, at_strides, 0, 1, item)
    else:
        index_gather(dims, n, a, to, b, of, at, at_strides, 0, 1, item)
    return result


cdef TensorImpl _mask_to_fill(TensorImpl self, list indices, TensorImpl values):
    """Return the one mask, with the dimensions of `self`, if one number is written where it is true; or None."""
    cdef TensorImpl mask = None
    cdef Py_ssize_t[2 * MAX_DIMS] shape
    cdef int d, first = 0
    if numel(values) != 1:
        return None
    for entry in indices:
        if mask is not None and entry is not None:
            return None
        if mask is None and entry is None:
            first += 1
        elif entry is not None:
            mask = entry
    if mask is None or mask.dtype not in (Bool, UInt8) or first + ndim(mask) > ndim(self):
        return None
    for d in range(ndim(self)):
        shape[d], shape[MAX_DIMS + d] = 1, 0
    for d in range(ndim(mask)):
        if sizes(mask)[d] != sizes(self)[first + d]:
            return None
        shape[first + d], shape[MAX_DIMS + first + d] = sizes(mask)[d], strides(mask)[d]
    return as_strided_impl(mask, ndim(self), shape, shape + MAX_DIMS, mask.storage_offset)


cdef TensorImpl index_put_(TensorImpl self, list indices, TensorImpl values, bint accumulate=False):
    cdef _Plan plan
    cdef TensorImpl t, source
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int d, dims, dtype = self.dtype, lead
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef Py_ssize_t* n
    cdef Py_ssize_t* at_strides
    cdef char* a
    cdef char* b
    cdef char* at
    cdef Py_ssize_t work
    _check_count(self, indices)
    for d in range(ndim(self)):
        if strides(self)[d] == 0 and sizes(self)[d] > 1:
            warnings.warn(
                "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor "
                "before performing this operation. This also applies to advanced indexing e.g. "
                "tensor[indices] = tensor", UserWarning, 1)
            break
    if not accumulate:
        t = _mask_to_fill(self, indices, values)
        if t is not None:
            return masked_fill(self, t, as_strided_impl(values, 0, sizes(values), strides(values),
                                                        values.storage_offset), self)
    assert_no_overlap(self, values)
    for entry in indices:
        if entry is not None:
            assert_no_overlap(self, <TensorImpl>entry)
    reject_dtypes(self.dtype, WIDE_UNSIGNED | (FLOAT8 if self.dtype == Float8E8m0fnu else 0), "index_put")
    plan = _plan(self, indices)
    lead = plan.ndim - ndim(values)
    for d in range(ndim(values)):
        if lead < 0 or sizes(values)[d] != 1 and sizes(values)[d] != plan.shape[lead + d]:
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {shape_text(ndim(values), sizes(values))} "
                f"cannot be broadcast to indexing result of shape "
                f"{shape_text(plan.ndim, plan.shape)}")
    if values.dtype != self.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{class_name(self.dtype)} for the destination and {class_name(values.dtype)} for the "
            "source.")
    if accumulate and carrier_of(dtype) != dtype:
        dtype = carrier_of(dtype)
        return copy_(self, index_put_(cast(self, dtype), indices, cast(values, dtype), True))
    work = 1
    for d in range(plan.ndim):
        work *= plan.shape[d]
        to[d] = plan.strides[d] * item
    if work == 0:
        return self
    _fill_offsets(plan)
    source = expand(values, tuple([plan.shape[d] for d in range(plan.ndim)]))
    byte_strides(source, of)
    a = data(self)
    b = data(source)
    at = data(plan.offsets)
    dims = plan.ndim
    n = plan.shape
    at_strides = plan.index_strides
    if work >= RELEASE_GIL:
        with nogil:
            index_scatter(dtype, SCATTER_ADD if accumulate else SCATTER_SET, dims, n, a, to, b, of,
                          at, at_strides, 0, 1)
    else:
        index_scatter(dtype, SCATTER_ADD if accumulate else SCATTER_SET, dims, n, a, to, b, of, at,
                      at_strides, 0, 1)
    return self


cdef TensorImpl index_put(TensorImpl self, list indices, TensorImpl values, bint accumulate=False):
    return index_put_(clone(self), indices, values, accumulate)


cdef TensorImpl index_backward(TensorImpl grad, tuple self_sizes, list indices):
    return index_put_(zeros_tuple(self_sizes, grad.dtype), indices, grad, True)
