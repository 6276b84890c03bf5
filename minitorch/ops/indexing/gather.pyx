"""gather, scatter and related operators; all indices are checked before the first write."""


from minitorch.core.dtype cimport (
    Bool, Float32, Int32, Int64, class_name, is_complex, is_floating, is_reduced_floating,
    itemsizes)
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_overlap
from minitorch.core.tensor_impl cimport (
    TensorImpl, empty, empty_like, is_contiguous, ndim, numel, same_sizes, sizes, wrap_dim,
    wrap_number)
from minitorch.kernels.indexing.scatter cimport (
    SCATTER_ADD, SCATTER_MAX, SCATTER_MIN, SCATTER_MULTIPLY, SCATTER_SET, ScatterOp)
from minitorch.ops.common.addresses cimport (
    Walked, byte_strides, copied_to, find_bad_index, gather_walked, long_index, scatter_walked,
    walk_elements)
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.bulk cimport shape_text, zeros_tuple
from minitorch.ops.common.checks cimport CARRIED, reject_dtypes
from minitorch.ops.common.copy cimport cast, clone, contiguous, CONTIGUOUS_FORMAT, copy_, fill_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.elementwise.division cimport div, remainder
from minitorch.ops.shape.views cimport expand, view

from minitorch.core.determinism import alert_not_deterministic
from minitorch.core.once import warn_once


cdef inline int _dims(TensorImpl t) noexcept:
    return max(ndim(t), 1)


cdef inline Py_ssize_t _size(TensorImpl t, int d) noexcept:
    return sizes(t)[d] if ndim(t) else 1


cdef int _check_index_type(TensorImpl index, str name) except -1:
    if numel(index) and index.dtype != Int64 and index.dtype != Int32:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    return 0


cdef int _check_bounds(TensorImpl self, int dim, TensorImpl index) except -1:
    cdef long long bad
    if numel(index) and find_bad_index(long_index(index), _size(self, dim), False, &bad):
        raise RuntimeError(
            f"index {bad} is out of bounds for dimension {dim} with size {_size(self, dim)}")
    return 0


# ---- gather

cdef TensorImpl gather(TensorImpl self, Py_ssize_t dim, TensorImpl index, bint sparse_grad=False,
                       TensorImpl out=None):
    cdef Walked w
    cdef int d = wrap_dim(dim, ndim(self)), k
    _check_index_type(index, "gather")
    if numel(index):
        if _dims(self) != _dims(index):
            raise RuntimeError(
                "Index tensor must have the same number of dimensions as input tensor")
        for k in range(_dims(self)):
            if k != d and _size(index, k) > _size(self, k):
                raise RuntimeError(
                    f"Size does not match at dimension {k} expected index "
                    f"{shape_text(ndim(index), sizes(index))} to be no larger than self "
                    f"{shape_text(ndim(self), sizes(self))} apart from dimension {d}")
        reject_dtypes(self.dtype, CARRIED, "scatter_gather_tensor_cpu")
        index = long_index(index)
        _check_bounds(self, d, index)
    if out is None:
        out = empty(ndim(index), sizes(index), self.dtype)
    else:
        check_out_dtype(out, self.dtype)
        resize_output(out, ndim(index), sizes(index))
        assert_no_internal_overlap(out)
        assert_no_overlap(out, self)
        assert_no_overlap(out, index)
    if numel(index):
        walk_elements(&w, self, d, index, out)
        gather_walked(&w, out, self, index)
    return out


cdef TensorImpl gather_backward(TensorImpl grad, tuple self_sizes, Py_ssize_t dim,
                                TensorImpl index):
    cdef TensorImpl result = zeros_tuple(self_sizes, grad.dtype)
    return scatter_add(result, dim, index, grad, result)


# ---- scatter

cdef int _check_scatter(TensorImpl self, int dim, TensorImpl index, TensorImpl src) except -1:
    """Check the arguments of scatter; `src` is None when a number is scattered."""
    cdef int k
    cdef bint wrong = False
    cdef str expected
    _check_index_type(index, "scatter")
    if src is not None and src.dtype != self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if numel(index) == 0:
        return 0
    if _dims(self) != _dims(index):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    for k in range(_dims(self)):
        wrong = wrong or k != dim and _size(index, k) > _size(self, k)
    if not wrong and src is not None:
        for k in range(_dims(self)):
            # wrap_dim raises an IndexError for a dimension that `src` does not have
            wrong = wrong or _size(index, k) > (
                _size(src, k) if k < _dims(src) else sizes(src)[wrap_dim(k, ndim(src))])
    if src is not None and _dims(src) != _dims(index):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if wrong:
        expected = (f"Expected index {shape_text(ndim(index), sizes(index))} to be no larger than "
                    f"self {shape_text(ndim(self), sizes(self))} apart from dimension {dim}")
        if src is not None:
            expected += f" and to be no larger size than src {shape_text(ndim(src), sizes(src))}"
        raise RuntimeError(expected)
    return 0


cdef int _scatter(TensorImpl out, int dim, TensorImpl index, TensorImpl src,
                  ScatterOp op) except -1:
    cdef Walked w
    cdef TensorImpl wide
    if numel(index):
        index = long_index(index)
        if op != SCATTER_SET and is_reduced_floating(out.dtype):
            # accumulate in float32 and round once
            wide = cast(out, Float32)
            _scatter(wide, dim, index, cast(src, Float32), op)
            copy_(out, wide)
            return 0
        walk_elements(&w, out, dim, index, src)
        scatter_walked(&w, op, out, index, src)
    return 0


cdef ScatterOp _operation(str reduce) except *:
    """Return the operation for the `reduce` argument of scatter; "" sets elements."""
    if reduce == "":
        return SCATTER_SET
    if reduce == "add":
        return SCATTER_ADD
    if reduce == "multiply":
        return SCATTER_MULTIPLY
    raise RuntimeError("reduce argument must be either add or multiply.")


cdef TensorImpl _scatter_tensor(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                                str reduce, TensorImpl out):
    cdef int d = wrap_dim(dim, ndim(self))
    cdef ScatterOp op
    _check_scatter(self, d, index, src)
    op = _operation(reduce)
    if numel(index):
        reject_dtypes(self.dtype, CARRIED, "scatter_gather_tensor_cpu")
    _check_bounds(self, d, index)
    out = copied_to(self, out, index, src)
    _scatter(out, d, index, src, op)
    return out


cdef TensorImpl _scatter_number(TensorImpl self, Py_ssize_t dim, TensorImpl index, object value,
                                str reduce, TensorImpl out):
    cdef int d = wrap_dim(dim, ndim(self))
    cdef ScatterOp op
    cdef TensorImpl src
    _check_scatter(self, d, index, None)
    op = _operation(reduce)
    if numel(index) == 0:
        return copied_to(self, out, index, None)
    reject_dtypes(self.dtype, CARRIED, "scatter_gather_scalar_cpu")
    # a source of one element with all strides 0
    src = scalar_tensor(value, self.dtype)
    _check_bounds(self, d, index)
    out = copied_to(self, out, index, None)
    _scatter(out, d, index, src, op)
    return out


cdef TensorImpl scatter_src(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                            TensorImpl out=None):
    return _scatter_tensor(self, dim, index, src, "", out)


cdef TensorImpl scatter_value(TensorImpl self, Py_ssize_t dim, TensorImpl index, object value,
                              TensorImpl out=None):
    return _scatter_number(self, dim, index, value, "", out)


cdef TensorImpl scatter_add(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                            TensorImpl out=None):
    return _scatter_tensor(self, dim, index, src, "add", out)


cdef TensorImpl scatter_src_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                   TensorImpl src, str reduce, TensorImpl out=None):
    _check_scatter(self, wrap_dim(dim, ndim(self)), index, src)
    warn_once(
        "The reduce argument of torch.scatter with Tensor src is deprecated and will be "
        "removed in a future PyTorch release. Use torch.scatter_reduce instead for more "
        "reduction options.")
    _operation(reduce)
    return _scatter_tensor(self, dim, index, src, reduce, out)


cdef TensorImpl scatter_value_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index,
                                     object value, str reduce, TensorImpl out=None):
    return _scatter_number(self, dim, index, value, reduce, out)


# ---- scatter_reduce

cdef object neutral_element(int dtype, ScatterOp op):
    """Return the neutral element of a reduction."""
    cdef int bits = 8 * <int>itemsizes[dtype]
    if op == SCATTER_ADD:
        return 0
    if op == SCATTER_MULTIPLY:
        return 1
    if is_floating(dtype):
        return float("-inf") if op == SCATTER_MAX else float("inf")
    if dtype == Bool:
        return op == SCATTER_MIN
    if class_name(dtype) == "Byte":
        return 0 if op == SCATTER_MAX else 255
    return -(1 << (bits - 1)) if op == SCATTER_MAX else (1 << (bits - 1)) - 1


cdef TensorImpl scatter_reduce(TensorImpl self, Py_ssize_t dim, TensorImpl index, TensorImpl src,
                               str reduce, bint include_self=True, TensorImpl out=None):
    cdef int d = wrap_dim(dim, ndim(self))
    cdef ScatterOp op
    cdef TensorImpl count
    _check_scatter(self, d, index, src)
    if reduce == "sum" or reduce == "mean":
        op = SCATTER_ADD
    elif reduce == "prod":
        op = SCATTER_MULTIPLY
    elif reduce == "amax":
        op = SCATTER_MAX
    elif reduce == "amin":
        op = SCATTER_MIN
    else:
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got "
                           f"{reduce}")
    if reduce[0] == "a" and is_complex(self.dtype) and numel(index) or (
            reduce == "mean" and self.dtype == Bool):
        name = f"scatter_gather_tensor_cpu_reduce_{reduce}" if numel(index) else "div_floor_cpu"
        raise NotImplementedError(f"\"{name}\" not implemented for '{class_name(self.dtype)}'")
    if numel(index):
        name = "scatter_gather_tensor_cpu" + ("" if reduce == "sum" or reduce == "prod" else f"_reduce_{reduce}")
        reject_dtypes(self.dtype, CARRIED, name if include_self else "scatter_reduce_exclude_input_init")
    _check_bounds(self, d, index)
    src = plain_bools(src)
    out = copied_to(self if out is self else plain_bools(self), out, index, src)
    if numel(index) == 0:
        return out
    if not include_self:
        _scatter(out, d, index, scalar_tensor(neutral_element(out.dtype, op), out.dtype), SCATTER_SET)
    _scatter(out, d, index, src, op)
    if reduce == "mean":
        # the number of summands of each element; 1 where there are none
        count = fill_(empty(ndim(out), sizes(out), out.dtype), 1)
        if not include_self:
            _scatter(count, d, index, scalar_tensor(0, out.dtype), SCATTER_SET)
        _scatter(count, d, index, scalar_tensor(1, out.dtype), SCATTER_ADD)
        rounding = None if is_floating(out.dtype) or is_complex(out.dtype) else "floor"
        div(out, count, rounding, out)
    return out


# ---- take and put: indices into the elements in row-major order

cdef int _check_flat(TensorImpl self, TensorImpl index) except -1:
    cdef long long bad
    if find_bad_index(index, numel(self), True, &bad):
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {numel(self)} "
                         "elements.")
    return 0


cdef void _walk_flat(Walked* w, TensorImpl self, TensorImpl index, TensorImpl other) noexcept:
    cdef int d
    w.ndim = ndim(index)
    for d in range(w.ndim):
        w.sizes[d] = sizes(index)[d]
        w.indexed[d] = 0
    byte_strides(index, w.index)
    byte_strides(other, w.other)
    w.size = numel(self)
    w.dim_stride = itemsizes[self.dtype]


cdef TensorImpl take(TensorImpl self, TensorImpl index, TensorImpl out=None):
    cdef Walked w
    if index.dtype != Int64:
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {class_name(index.dtype)}")
    if out is not None and out.dtype != self.dtype:
        raise RuntimeError(
            "take(): self and out expected to have the same dtype, but got self.dtype = "
            f"{class_name(self.dtype)} and out.dtype = {class_name(out.dtype)}")
    if numel(self) == 0 and numel(index):
        raise IndexError("take(): tried to take from an empty tensor")
    if numel(index):
        reject_dtypes(self.dtype, CARRIED, "take_cpu")
    _check_flat(self, index)
    if out is None:
        out = empty(ndim(index), sizes(index), self.dtype)
    else:
        assert_no_internal_overlap(out)
        assert_no_overlap(out, index)
        assert_no_overlap(out, self)
        resize_output(out, ndim(index), sizes(index))
    self = contiguous(self)
    _walk_flat(&w, self, index, out)
    gather_walked(&w, out, self, index)
    return out


cdef TensorImpl take_backward(TensorImpl grad, tuple self_sizes, TensorImpl index):
    cdef TensorImpl result = zeros_tuple(self_sizes, grad.dtype)
    return put(result, index, grad, True, result)


cdef TensorImpl put(TensorImpl self, TensorImpl index, TensorImpl source, bint accumulate=False,
                    TensorImpl out=None):
    cdef Walked w
    cdef TensorImpl flat
    if not accumulate:
        alert_not_deterministic("put_")
    if index.dtype != Int64:
        raise RuntimeError(
            f"put_(): Expected a long tensor for index, but got {class_name(index.dtype)}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{class_name(self.dtype)} and source.dtype = {class_name(source.dtype)}")
    if numel(source) != numel(index):
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {numel(source)}, index.numel() = {numel(index)}")
    if numel(self) == 0 and numel(index):
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    if numel(index):
        reject_dtypes(self.dtype, CARRIED, "take_put_cpu")
    _check_flat(self, index)
    if out is not None:
        assert_no_internal_overlap(out)
        assert_no_overlap(out, index)
        assert_no_overlap(out, source)
    flat = out if out is not None and is_contiguous(out) else clone(self, CONTIGUOUS_FORMAT)
    if not same_sizes(source.geometry, index.geometry):
        source = view(contiguous(source), tuple([sizes(index)[d] for d in range(ndim(index))]))
    _walk_flat(&w, flat, index, source)
    scatter_walked(&w, SCATTER_ADD if accumulate else SCATTER_SET, flat, index, source)
    if out is None:
        out = flat if is_contiguous(self) else empty_like(self, self.dtype)
    return out if flat is out else copy_(out, flat)


cdef TensorImpl take_along_dim(TensorImpl self, TensorImpl indices, object dim=None,
                               TensorImpl out=None):
    cdef list have, wanted, common
    cdef TensorImpl a, b
    cdef int d, k
    if dim is None:
        return gather(view(self, (-1,)), 0, view(indices, (-1,)), False, out)
    if ndim(self) != ndim(indices):
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {ndim(self)} dimensions for input, and {ndim(indices)} dimensions for "
            "indices")
    if indices.dtype != Int64:
        raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got "
                           f"{class_name(indices.dtype)}")
    d = wrap_dim(dim, ndim(self))
    if ndim(self) == 0:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    # an index out of bounds wraps around
    indices = remainder(indices, wrap_number(sizes(self)[d]))
    # broadcast against each other in every dimension except this one
    have = [sizes(self)[k] for k in range(ndim(self))]
    wanted = [sizes(indices)[k] for k in range(ndim(self))]
    common = have[:]
    for k in range(ndim(self) - 1, -1, -1):
        if k == d or have[k] == wanted[k]:
            continue
        if have[k] != 1 and wanted[k] != 1:
            raise RuntimeError(f"The size of tensor a ({have[k]}) must match the size of tensor b "
                               f"({wanted[k]}) at non-singleton dimension {k}")
        common[k] = wanted[k] if have[k] == 1 else have[k]
    a = expand(self, tuple(common))
    common[d] = wanted[d]
    b = expand(indices, tuple(common))
    return gather(a, d, b, False, out)
