"""Joining: cat and stack copy each tensor to its place in the result, with one strided copy.

As in PyTorch, `cat` skips an empty tensor of one dimension whatever the shapes of the others ("legacy empty").
Its dtype still takes part in the promotion.
"""


from minitorch.core.dtype cimport Float32, NoType, class_name, promote_types
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_partial_overlap
from minitorch.core.result_type cimport can_cast, combine_types
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, channels_last_strides, data, empty, empty_geometry, ndim, new_geometry,
    numel, release_geometry, same_sizes, sizes, sizes_tuple, wrap_dim)
from minitorch.ops.common.bulk cimport shape_text, zeros
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, copy_, zero_
from minitorch.ops.common.memory_format cimport suggest_memory_format
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.shape.slices cimport select_dim, slice_dim
from minitorch.ops.shape.views cimport expand, unsqueeze, view

from minitorch.core.error_pages import explained
from minitorch.core.once import warn_once


# ---- the result

cdef TensorImpl _result(TensorImpl out, int n, const Py_ssize_t* size, int dtype,
                        int memory_format):
    """Return new memory, or `out` resized to this shape."""
    cdef Py_ssize_t[MAX_DIMS] s
    cdef TensorImpl result
    if memory_format == CONTIGUOUS_FORMAT:
        if out is None:
            return empty(n, size, dtype)
        resize_output(out, n, size)
        return out
    channels_last_strides(n, size, s)
    if out is not None:
        resize_output(out, n, size, s)
        return out
    g = new_geometry(n, size, s)
    try:
        result = empty_geometry(g, dtype)
    finally:
        release_geometry(g)
    return result


cdef inline bint _skipped(TensorImpl t) noexcept:
    return ndim(t) == 1 and sizes(t)[0] == 0


cdef int _promoted(list tensors, TensorImpl out) except -1:
    """Return the dtype of the result; raise a TypeError if it cannot be cast to the dtype of `out`."""
    cdef int dtype = NoType
    cdef TensorImpl t
    for t in tensors:
        dtype = promote_types(dtype, t.dtype)
    if out is not None and not can_cast(dtype, out.dtype):
        raise TypeError("torch.cat(): input types can't be cast to the desired output type "
                        f"{class_name(out.dtype)}")
    return dtype


cdef int _check_overlaps(TensorImpl out, list tensors) except -1:
    cdef TensorImpl t
    for t in tensors:
        # the caller may pass an alias, so an empty operand counts as `out` if they share the geometry object
        if t is out or t.storage == out.storage and data(t) == data(out) and (
                t.geometry == out.geometry or numel(t) and numel(out)):
            raise RuntimeError(
                "unsupported operation: some elements of the input tensor and the written-to "
                "tensor refer to a single memory location. Please clone() the tensor before "
                "performing the operation.")
        assert_no_partial_overlap(out, t)
    return 0


# ---- cat and stack

cdef TensorImpl cat(list tensors, Py_ssize_t dim=0, TensorImpl out=None):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef TensorImpl t, first = None, result
    cdef int d = -1, k, position = 0, dtype, memory_format = -1
    cdef Py_ssize_t start = 0, length
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for t in tensors:
        if ndim(t) == 0:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {position}) cannot be concatenated")
        if first is None and not _skipped(t):
            first = t
        position += 1
    if first is None:
        first = tensors[0]
        d = 0
    else:
        d = wrap_dim(dim, ndim(first))
    dtype = _promoted(tensors, out)
    for k in range(ndim(first)):
        n[k] = sizes(first)[k]
    n[d] = 0
    position = 0
    for t in tensors:
        k = suggest_memory_format(t)
        memory_format = k if memory_format in (-1, k) else CONTIGUOUS_FORMAT
        if not _skipped(t):
            _check_shape(first, t, d, position)
            n[d] += sizes(t)[d]
        position += 1
    if out is not None:
        _check_overlaps(out, tensors)
    result = _result(out, ndim(first), n, dtype, memory_format)
    if out is not None:
        assert_no_internal_overlap(out)
    for t in tensors:
        if not _skipped(t):
            length = sizes(t)[d]
            copy_(slice_dim(result, d, start, start + length, 1), t)
            start += length
    return result


cdef TensorImpl block_diag(list tensors):
    cdef Py_ssize_t[2] n = [0, 0]
    cdef Py_ssize_t row = 0, column = 0
    cdef int dimensioned = NoType, zero_dim = NoType
    cdef TensorImpl t, result
    cdef list matrices = []
    for t in tensors:
        if ndim(t) > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                f"{len(matrices)} has {ndim(t)} dimensions")
        matrices.append(atleast_2d(t))
    if not matrices:
        n[0] = 1
        return empty(2, n, Float32)
    for t in matrices:
        n[0] += sizes(t)[0]
        n[1] += sizes(t)[1]
    for t in tensors:
        if ndim(t) > 0:
            dimensioned = promote_types(dimensioned, t.dtype)
        else:
            zero_dim = promote_types(zero_dim, t.dtype)
    result = zero_(empty(2, n, combine_types(dimensioned, zero_dim, NoType)))
    for t in matrices:
        copy_(slice_dim(slice_dim(result, 0, row, row + sizes(t)[0], 1), 1, column,
                        column + sizes(t)[1], 1), t)
        row += sizes(t)[0]
        column += sizes(t)[1]
    return result


cdef int _check_shape(TensorImpl first, TensorImpl t, int dim, int position) except -1:
    cdef int k
    if ndim(t) != ndim(first):
        raise RuntimeError(f"Tensors must have same number of dimensions: got {ndim(first)} and "
                           f"{ndim(t)}")
    for k in range(ndim(t)):
        if k != dim and sizes(t)[k] != sizes(first)[k]:
            raise explained(RuntimeError(
                f"Sizes of tensors must match except in dimension {dim}. Expected size "
                f"{sizes(first)[k]} but got size {sizes(t)[k]} for tensor number {position} in the "
                "list."), "cat-sizes")
    return 0


cdef TensorImpl stack(list tensors, Py_ssize_t dim=0, TensorImpl out=None):
    cdef TensorImpl t, first, joined
    cdef Py_ssize_t[MAX_DIMS + 1] n
    cdef int d, k, position = 0
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0]
    d = wrap_dim(dim, ndim(first) + 1)
    for t in tensors:
        if not same_sizes(t.geometry, first.geometry):
            raise explained(RuntimeError(
                f"stack expects each tensor to be equal size, but got "
                f"{shape_text(ndim(first), sizes(first))} at entry 0 and "
                f"{shape_text(ndim(t), sizes(t))} at entry {position}"), "stack-sizes")
        position += 1
    for k in range(ndim(first)):
        n[k + 1 if k >= d else k] = sizes(first)[k]
    n[d] = len(tensors)
    if out is not None:
        _promoted(tensors, out)
        _check_overlaps(out, tensors)
        resize_output(out, ndim(first) + 1, n)
        assert_no_internal_overlap(out)
        for position in range(len(tensors)):
            copy_(select_dim(out, d, position), tensors[position])
        return out
    if d == ndim(first):
        return cat([unsqueeze(t, d) for t in tensors], d)
    # cat along d puts the elements in the order of the result already, and keeps channels last
    if _skipped(first):
        return empty(2, n, _promoted(tensors, None))
    joined = cat(tensors, d)
    return view(joined, tuple([n[k] for k in range(ndim(first) + 1)]))


# ---- under other names

cdef TensorImpl atleast_1d(TensorImpl self):
    return unsqueeze(self, 0) if ndim(self) == 0 else self


cdef TensorImpl atleast_2d(TensorImpl self):
    return unsqueeze(atleast_1d(self), 0) if ndim(self) < 2 else self


cdef TensorImpl atleast_3d(TensorImpl self):
    return unsqueeze(atleast_2d(self), -1) if ndim(self) < 3 else self


cdef int _check_filled(list tensors, str name) except -1:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return 0


cdef TensorImpl hstack(list tensors, TensorImpl out=None):
    cdef TensorImpl t
    _check_filled(tensors, "hstack")
    tensors = [atleast_1d(t) for t in tensors]
    return cat(tensors, 0 if ndim(<TensorImpl>tensors[0]) == 1 else 1, out)


cdef TensorImpl vstack(list tensors, TensorImpl out=None):
    cdef TensorImpl t
    _check_filled(tensors, "vstack")
    return cat([atleast_2d(t) for t in tensors], 0, out)


cdef TensorImpl dstack(list tensors, TensorImpl out=None):
    cdef TensorImpl t
    _check_filled(tensors, "dstack")
    return cat([atleast_3d(t) for t in tensors], 2, out)


cdef TensorImpl column_stack(list tensors, TensorImpl out=None):
    cdef TensorImpl t
    _check_filled(tensors, "column_stack")
    return hstack([t if ndim(t) > 1 else view(t, (numel(t), 1)) for t in tensors], out)


cdef list cat_tensors_backward(TensorImpl grad, list sizes, Py_ssize_t dim):
    cdef Py_ssize_t zero = 0, start = 0, length
    cdef int d = -1
    cdef list parts = []
    for size in sizes:
        if len(size) == 1 and size[0] == 0:
            parts.append(zeros(1, &zero, grad.dtype))
            continue
        if d < 0:
            d = wrap_dim(dim, len(size))
        length = size[d]
        parts.append(slice_dim(grad, d, start, start + length, 1))
        start += length
    return parts


# ---- grids

cdef list meshgrid(list tensors, object indexing=None):
    cdef TensorImpl t, first
    cdef list grids
    cdef tuple shape
    cdef bint swap
    if indexing is None:
        warn_once("torch.meshgrid: in an upcoming release, it will be required to pass the "
                  "indexing argument.")
    _check_filled(tensors, "meshgrid")
    first = tensors[0]
    for t in tensors:
        if t.dtype != first.dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for t in tensors:
        if ndim(t) > 1:
            raise RuntimeError(
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: [ torch."
                f"{class_name(t.dtype)}Tensor{{{','.join(map(str, sizes_tuple(t)))}}} ]")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError('torch.meshgrid: indexing must be one of "xy" or "ij", but received: '
                           f"{indexing}")
    swap = indexing == "xy" and len(tensors) >= 2
    if swap:
        tensors = [tensors[1], tensors[0], *tensors[2:]]
    shape = tuple([numel(t) for t in tensors])
    grids = []
    for position in range(len(tensors)):
        t = view(tensors[position],
                 tuple([n if k == position else 1 for k, n in enumerate(shape)]))
        grids.append(expand(t, shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return grids
