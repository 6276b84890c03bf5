"""repeat_interleave: the positions that are selected, and the selection."""

from minitorch.core.dtype cimport Int32, Int64, class_name, itemsizes
from minitorch.core.tensor_impl cimport TensorImpl, data, empty, ndim, numel, sizes, strides, wrap_dim
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone
from minitorch.ops.indexing.index_select cimport index_select
from minitorch.ops.shape.views cimport expand, flatten, unsqueeze, view


cdef TensorImpl repeat_interleave(TensorImpl repeats, object output_size=None):
    cdef TensorImpl result
    cdef Py_ssize_t total = 0, k, n, step, j
    cdef bint negative = False
    cdef long long times
    cdef char* p = data(repeats)
    if ndim(repeats) != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if repeats.dtype != Int32 and repeats.dtype != Int64:
        raise NotImplementedError(
            f"\"repeat_interleave_cpu\" not implemented for '{class_name(repeats.dtype)}'")
    n = sizes(repeats)[0]
    step = strides(repeats)[0] * itemsizes[repeats.dtype]
    for k in range(n):
        times = _integer(p + k * step, repeats.dtype)
        negative = negative or times < 0
        if times > (<Py_ssize_t>1 << 60) - max(total, 0):
            raise RuntimeError("Storage size calculation overflowed: too many repeats")
        total += times
    if output_size is not None and output_size != total and n:
        raise RuntimeError("allocated size does not match required size")
    if negative:
        raise RuntimeError("repeats can not be negative")
    result = empty(1, &total, repeats.dtype)
    j = 0
    for k in range(n):
        times = _integer(p + k * step, repeats.dtype)
        while times > 0:
            if repeats.dtype == Int64:
                (<long long*>data(result))[j] = k
            else:
                (<int*>data(result))[j] = <int>k
            j += 1
            times -= 1
    return result


cdef inline long long _integer(const char* p, int dtype) noexcept:
    return (<const long long*>p)[0] if dtype == Int64 else (<const int*>p)[0]


cdef TensorImpl repeat_interleave_self_tensor(TensorImpl self, TensorImpl repeats, object dim=None,
                                              object output_size=None):
    cdef Py_ssize_t have
    cdef int d
    if dim is None:
        self = flatten(self)
        dim = 0
    if ndim(repeats) > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if ndim(self) == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d = wrap_dim(dim, ndim(self))
    have = sizes(self)[d]
    if numel(repeats) == 1:
        repeats = expand(view(repeats, (1,)), (have,))
    elif sizes(repeats)[0] != have:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{sizes(repeats)[0]} and input.size({dim}) = {have}")
    return index_select(self, d, repeat_interleave(repeats, output_size))


cdef TensorImpl repeat_interleave_self_int(TensorImpl self, Py_ssize_t repeats, object dim=None,
                                           object output_size=None):
    cdef TensorImpl wide
    cdef list shape
    cdef int d
    if dim is None:
        self = flatten(self)
        dim = 0
    d = wrap_dim(dim, ndim(self))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    wide = unsqueeze(self, d + 1)
    if output_size is not None and output_size != sizes(self)[d] * repeats:
        raise RuntimeError("repeat_interleave: Invalid output_size, expected "
                           f"{sizes(self)[d] * repeats} but got {output_size}")
    shape = [sizes(wide)[k] for k in range(ndim(wide))]
    shape[d + 1] = repeats
    return flatten(clone(expand(wide, tuple(shape)), CONTIGUOUS_FORMAT), d, d + 1)
