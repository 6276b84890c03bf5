"""Convert tensors to the byte strides that the indexing kernels take."""

from minitorch.core.dtype cimport Int32, Int64, itemsizes
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_overlap
from minitorch.core.tensor_impl cimport data, ndim, numel, sizes, strides
from minitorch.kernels.indexing.indexing cimport BadIndex, check_index, index_gather
from minitorch.kernels.indexing.scatter cimport index_scatter
from minitorch.ops.common.bulk cimport RELEASE_GIL
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, cast, clone, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.type_names cimport check_out_dtype


cdef void byte_strides(TensorImpl t, Py_ssize_t* out) noexcept:
    cdef int d
    for d in range(ndim(t)):
        out[d] = strides(t)[d] * itemsizes[t.dtype]


cdef TensorImpl long_index(TensorImpl index):
    return cast(index, Int64) if index.dtype == Int32 else index


cdef void walk_elements(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                        TensorImpl other) noexcept:
    # a 0-dim tensor is indexed like a tensor of shape (1,)
    cdef int d
    cdef Py_ssize_t item = itemsizes[indexed.dtype]
    w.ndim = ndim(index)
    for d in range(w.ndim):
        w.sizes[d] = sizes(index)[d]
        w.indexed[d] = 0 if d == dim or d >= ndim(indexed) else strides(indexed)[d] * item
        w.other[d] = strides(other)[d] * item if d < ndim(other) else 0
        w.index[d] = strides(index)[d] * 8
    w.size = sizes(indexed)[dim] if ndim(indexed) else 1
    w.dim_stride = strides(indexed)[dim] * item if ndim(indexed) else 0


cdef void walk_slices(Walked* w, TensorImpl indexed, int dim, TensorImpl index,
                      TensorImpl other) noexcept:
    cdef int d
    cdef Py_ssize_t item = itemsizes[indexed.dtype]
    w.ndim = ndim(other)
    for d in range(w.ndim):
        w.sizes[d] = sizes(other)[d]
        w.indexed[d] = 0 if d == dim or d >= ndim(indexed) else strides(indexed)[d] * item
        w.other[d] = strides(other)[d] * item
        w.index[d] = strides(index)[0] * 8 if d == dim and ndim(index) else 0
    w.size = sizes(indexed)[dim] if ndim(indexed) else 1
    w.dim_stride = strides(indexed)[dim] * item if ndim(indexed) else 0


cdef bint find_bad_index(TensorImpl index, Py_ssize_t size, bint wrap, long long* value) noexcept:
    cdef Py_ssize_t[MAX_DIMS] s
    cdef BadIndex bad
    byte_strides(index, s)
    if check_index(ndim(index), sizes(index), data(index), s, size, wrap, &bad):
        return False
    value[0] = bad.value
    return True


cdef int gather_walked(Walked* w, TensorImpl out, TensorImpl indexed, TensorImpl index) except -1:
    cdef char* to = data(out)
    cdef char* of = data(indexed)
    cdef char* at = data(index)
    cdef Py_ssize_t item = itemsizes[out.dtype]
    if numel(out) >= RELEASE_GIL:
        with nogil:
            index_gather(w.ndim, w.sizes, to, w.other, of, w.indexed, at, w.index, w.size,
                         w.dim_stride, item)
    else:
        index_gather(w.ndim, w.sizes, to, w.other, of, w.indexed, at, w.index, w.size,
                     w.dim_stride, item)
    return 0


cdef int scatter_walked(Walked* w, ScatterOp op, TensorImpl indexed, TensorImpl index,
                        TensorImpl source) except -1:
    cdef char* to = data(indexed)
    cdef char* of = data(source)
    cdef char* at = data(index)
    cdef int dtype = indexed.dtype
    if numel(index) >= RELEASE_GIL or numel(source) >= RELEASE_GIL:
        with nogil:
            index_scatter(dtype, op, w.ndim, w.sizes, to, w.indexed, of, w.other, at, w.index,
                          w.size, w.dim_stride)
    else:
        index_scatter(dtype, op, w.ndim, w.sizes, to, w.indexed, of, w.other, at, w.index, w.size,
                      w.dim_stride)
    return 0


cdef TensorImpl copied_to(TensorImpl self, TensorImpl out, TensorImpl a, TensorImpl b):
    if out is None:
        return clone(self, CONTIGUOUS_FORMAT)
    if out is not self:
        check_out_dtype(out, self.dtype)
        resize_output(out, ndim(self), sizes(self))
    assert_no_internal_overlap(out)
    if a is not None:
        assert_no_overlap(out, a)
    if b is not None:
        assert_no_overlap(out, b)
    if out is not self:
        copy_(out, self)
    return out
