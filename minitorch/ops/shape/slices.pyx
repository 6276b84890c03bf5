"""Views of a part of a tensor; operators with several results use `slice_dim`."""

from libc.string cimport memcpy

from minitorch.core.dtype cimport Int64, class_name
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, ndim, own_version_counter, sizes, strides, wrap_dim)
from minitorch.ops.common.bulk cimport shape_text

cdef enum:
    END = 0x7fffffffffffffff


cdef TensorImpl select_dim(TensorImpl self, int dim, Py_ssize_t index):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int after = ndim(self) - dim - 1
    memcpy(size, sizes(self), dim * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), dim * sizeof(Py_ssize_t))
    memcpy(size + dim, sizes(self) + dim + 1, after * sizeof(Py_ssize_t))
    memcpy(stride + dim, strides(self) + dim + 1, after * sizeof(Py_ssize_t))
    return as_strided_impl(self, ndim(self) - 1, size, stride,
                           self.storage_offset + index * strides(self)[dim])


cdef TensorImpl select(TensorImpl self, Py_ssize_t dim, Py_ssize_t index):
    cdef int d
    cdef Py_ssize_t size
    if ndim(self) == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, ndim(self))
    size = sizes(self)[d]
    if index < -size or index >= size:
        raise IndexError(f"select(): index {index} out of range for tensor of size "
                         f"{shape_text(ndim(self), sizes(self))} at dimension {d}")
    return select_dim(self, d, index + size if index < 0 else index)


cdef TensorImpl slice_dim(TensorImpl self, int dim, Py_ssize_t start, Py_ssize_t end,
                          Py_ssize_t step):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int n = ndim(self)
    cdef Py_ssize_t have = sizes(self)[dim]
    start = min(max(start + have, 0) if start < 0 else start, have)
    end = min(max(end + have if end < 0 else end, start), have)
    memcpy(size, sizes(self), n * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), n * sizeof(Py_ssize_t))
    size[dim] = (end - start - 1) // step + 1 if end > start else 0
    # unsigned, since the stride of a dimension of size 1 is arbitrary and could overflow
    stride[dim] = <Py_ssize_t>(<size_t>stride[dim] * <size_t>step)
    return as_strided_impl(self, n, size, stride, self.storage_offset + start * strides(self)[dim])


cdef TensorImpl slice(TensorImpl self, Py_ssize_t dim=0, object start=None, object end=None,
                      Py_ssize_t step=1):
    cdef int d
    if ndim(self) == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, ndim(self))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return slice_dim(self, d, 0 if start is None else start, END if end is None else end, step)


cdef TensorImpl narrow(TensorImpl self, Py_ssize_t dim, Py_ssize_t start, Py_ssize_t length):
    cdef int d
    cdef Py_ssize_t have
    if ndim(self) == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d = wrap_dim(dim, ndim(self))
    have = sizes(self)[d]
    if start < -have or start > have:
        raise IndexError(
            f"start out of range (expected to be in range of [{-have}, {have}], but got {start})")
    if start < 0:
        start += have
    if length > have - start:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({have}).")
    return slice_dim(self, d, start, start + length, 1)


# ---- several parts

cdef list _sized_parts(TensorImpl self, int dim, Py_ssize_t size):
    cdef Py_ssize_t have = sizes(self)[dim], start = 0
    cdef list parts = [slice_dim(self, dim, 0, size, 1)]
    if size:
        while have - start > size:
            start += size
            parts.append(slice_dim(self, dim, start, start + min(size, have - start), 1))
    return parts


cdef list split(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=0):
    cdef int d
    if ndim(self) == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError("split expects split_size be non-negative, but got "
                           f"split_size={split_size}")
    d = wrap_dim(dim, ndim(self))
    if split_size == 0 and sizes(self)[d]:
        raise RuntimeError("split_size can only be 0 if dimension size is 0, but got dimension "
                           f"size of {sizes(self)[d]}")
    return _sized_parts(self, d, split_size)


cdef list split_with_sizes(TensorImpl self, tuple split_sizes, Py_ssize_t dim=0):
    cdef int d
    cdef Py_ssize_t have, start = 0, length
    if ndim(self) == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, ndim(self))
    have = sizes(self)[d]
    for item in split_sizes:
        if item < 0:
            raise RuntimeError("split_with_sizes expects split_sizes have only non-negative "
                               f"entries, but got split_sizes={list(split_sizes)}")
    if sum(split_sizes) != have:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {have} (input tensor's size "
            f"at dimension {dim}), but got split_sizes={list(split_sizes)}")
    cdef list parts = []
    for item in split_sizes:
        length = item
        parts.append(slice_dim(self, d, start, start + length, 1))
        start += length
    return parts


cdef list chunk(TensorImpl self, Py_ssize_t chunks, Py_ssize_t dim=0):
    cdef int d
    cdef Py_ssize_t have
    if ndim(self) == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    d = wrap_dim(dim, ndim(self))
    have = sizes(self)[d]
    if have == 0:
        return [slice_dim(self, d, 0, 0, 1) for _ in range(chunks)]
    return _sized_parts(self, d, (have - 1) // chunks + 1)


cdef int _tensor_split_dim(TensorImpl self, Py_ssize_t dim) except -1:
    if ndim(self) == 0:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    return wrap_dim(dim, ndim(self))


cdef list tensor_split_sections(TensorImpl self, Py_ssize_t sections, Py_ssize_t dim=0):
    cdef int d = _tensor_split_dim(self, dim)
    cdef Py_ssize_t least, longer, start = 0, length, k
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    least = sizes(self)[d] // sections
    longer = sizes(self)[d] % sections
    cdef list parts = []
    for k in range(sections):
        length = least + 1 if k < longer else least
        parts.append(slice_dim(self, d, start, start + length, 1))
        start += length
    return parts


cdef list tensor_split_indices(TensorImpl self, tuple indices, Py_ssize_t dim=0):
    cdef int d = _tensor_split_dim(self, dim)
    cdef Py_ssize_t start = 0
    cdef list parts = []
    for end in indices:
        parts.append(slice_dim(self, d, start, end, 1))
        start = end
    parts.append(slice_dim(self, d, start, END, 1))
    return parts


cdef list tensor_split_tensor(TensorImpl self, TensorImpl tensor_indices_or_sections,
                              Py_ssize_t dim=0):
    cdef TensorImpl at = tensor_indices_or_sections
    cdef long long* value = <long long*>data(at)
    if at.dtype != Int64:
        raise RuntimeError("tensor_split expected tensor_indices_or_sections to have dtype of "
                           f"long, but got {class_name(at.dtype)}")
    if ndim(at) > 1:
        raise RuntimeError("tensor_split expected tensor_indices_or_sections to be a "
                           "zero-dimensional or one-dimensional tensor, but got a tensor with "
                           f"{ndim(at)} dims")
    if ndim(at) == 0:
        return tensor_split_sections(self, value[0], dim)
    return tensor_split_indices(
        self, tuple([value[k * strides(at)[0]] for k in range(sizes(at)[0])]), dim)


cdef list unbind(TensorImpl self, Py_ssize_t dim=0):
    cdef int d
    cdef Py_ssize_t k
    d = wrap_dim(dim, ndim(self))
    if ndim(self) == 0:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return [select_dim(self, d, k) for k in range(sizes(self)[d])]


# ---- diagonals and windows

cdef TensorImpl diagonal(TensorImpl self, Py_ssize_t offset=0, Py_ssize_t dim1=0,
                         Py_ssize_t dim2=1):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int a = wrap_dim(dim1, ndim(self)), b = wrap_dim(dim2, ndim(self)), d, n = 0
    cdef Py_ssize_t length, start = self.storage_offset
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    if offset >= 0:
        length = min(sizes(self)[a], sizes(self)[b] - offset)
    else:
        length = min(sizes(self)[a] + offset, sizes(self)[b])
    if length > 0:
        start += offset * strides(self)[b] if offset >= 0 else -offset * strides(self)[a]
    for d in range(ndim(self)):
        if d != a and d != b:
            size[n] = sizes(self)[d]
            stride[n] = strides(self)[d]
            n += 1
    size[n] = max(length, 0)
    stride[n] = strides(self)[a] + strides(self)[b]
    return as_strided_impl(self, n + 1, size, stride, start)


cdef TensorImpl unfold(TensorImpl self, Py_ssize_t dimension, Py_ssize_t size, Py_ssize_t step):
    # a 0-dim tensor is treated like a tensor of shape (1,), whose dimension becomes the window
    cdef Py_ssize_t[MAX_DIMS + 1] n
    cdef Py_ssize_t[MAX_DIMS + 1] stride
    cdef int dims = ndim(self), d = wrap_dim(dimension, dims)
    cdef Py_ssize_t have = sizes(self)[d] if dims else 1
    if size > have:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {have} but size is {size}")
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    memcpy(n, sizes(self), dims * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), dims * sizeof(Py_ssize_t))
    n[dims] = size
    stride[dims] = strides(self)[d] if dims else 1
    if dims:
        n[d] = (have - size) // step + 1
        stride[d] = <Py_ssize_t>(<size_t>stride[d] * <size_t>step)
    return as_strided_impl(self, dims + 1, n, stride, self.storage_offset)


cdef list unsafe_split(TensorImpl self, Py_ssize_t split_size, Py_ssize_t dim=0):
    return _counted_apart(split(self, split_size, dim))


cdef list unsafe_split_with_sizes(TensorImpl self, tuple split_sizes, Py_ssize_t dim=0):
    return _counted_apart(split_with_sizes(self, split_sizes, dim))


cdef list _counted_apart(list parts):
    for part in parts:
        own_version_counter(<TensorImpl>part)
    return parts
