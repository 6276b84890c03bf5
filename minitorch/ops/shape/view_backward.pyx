"""The derivatives of the view operators.

The gradient of a view is written through the same view of a tensor of zeros. If the view contains an element more
than once (`unfold`, `as_strided`), the gradient is added instead. The last dimension of such an addition never
overlaps itself, unless its stride is 0, which the kernel treats as a sum.

References
----------
`as_strided_backward` follows PyTorch's note "as_strided Backward and layout-aware/agnostic autograd": scatter the
gradient into a storage, divide each place by the number of input elements that share it, and read the storage
with the input's geometry.
"""

from libc.string cimport memset

from minitorch.core.dtype cimport class_name, itemsizes
from minitorch.core.overlap cimport maybe_overlaps
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, empty, empty_tuple, ndim, read_sizes, sizes,
    sizes_tuple, wrap_dim)
from minitorch.kernels.common.table cimport DIV, Kernel, binary_kernel
from minitorch.ops.common.bulk cimport add_into, zeros, zeros_tuple
from minitorch.ops.common.copy cimport copy_, zero_
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.shape.slices cimport diagonal, select, select_dim, slice, slice_dim, unfold
from minitorch.ops.shape.views cimport expand, unsqueeze


cdef inline TensorImpl _in_shape(TensorImpl grad, tuple shape):
    """Return `grad` expanded to the shape that the loops expect, or raise."""
    return grad if sizes_tuple(grad) == shape else expand(grad, shape)


cdef TensorImpl select_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t index):
    cdef TensorImpl result = zeros_tuple(input_sizes, grad_output.dtype)
    copy_(select(result, dim, index), grad_output)
    return result


cdef TensorImpl slice_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t dim,
                               object start,
                               object end, Py_ssize_t step):
    cdef TensorImpl result = zeros_tuple(input_sizes, grad_output.dtype)
    copy_(slice(result, dim, start, end, step), grad_output)
    return result


cdef TensorImpl diagonal_backward(TensorImpl grad_output, tuple input_sizes, Py_ssize_t offset,
                                  Py_ssize_t dim1, Py_ssize_t dim2):
    cdef TensorImpl result = zeros_tuple(input_sizes, grad_output.dtype)
    copy_(diagonal(result, offset, dim1, dim2), grad_output)
    return result


cdef TensorImpl unfold_backward(TensorImpl grad_in, tuple input_sizes, Py_ssize_t dim,
                                Py_ssize_t size,
                                Py_ssize_t step):
    cdef TensorImpl result = zeros_tuple(input_sizes, grad_in.dtype)
    cdef TensorImpl windows = unfold(result, dim, size, step)
    add_into(windows, _in_shape(grad_in, sizes_tuple(windows)))
    return result


# ---- as_strided

cdef struct Geometry:
    int count                           # number of dimensions
    Py_ssize_t[MAX_DIMS] sizes
    Py_ssize_t[MAX_DIMS] strides
    Py_ssize_t offset


cdef int _read_geometry(Geometry* g, tuple size, tuple stride, Py_ssize_t offset) except -1:
    cdef int d
    g.count = read_sizes(size, g.sizes)
    g.offset = offset
    if read_sizes(stride, g.strides) != g.count:
        raise RuntimeError("mismatch in length of strides and shape")
    for d in range(g.count):
        if g.sizes[d] < 0 or g.strides[d] < 0:
            raise RuntimeError("as_strided: negative sizes and strides are not supported, got "
                               f"{list(size)} and {list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    return 0


cdef Py_ssize_t _end(const Geometry* g) noexcept:
    """Return the place in storage after the last element, or 0 if there is no element."""
    cdef Py_ssize_t end = g.offset + 1
    cdef int d
    for d in range(g.count):
        if g.sizes[d] == 0:
            return 0
        end += (g.sizes[d] - 1) * g.strides[d]
    return end


cdef TensorImpl _seen_in(TensorImpl storage, const Geometry* g, Py_ssize_t first):
    """Return a view with geometry `g` of a storage that begins at place `first`."""
    return as_strided_impl(storage, g.count, g.sizes, g.strides, g.offset - first)


cdef int _divide_by_count(TensorImpl storage, const Geometry* g, Py_ssize_t first) except -1:
    cdef TensorImpl count = zeros(1, sizes(storage), storage.dtype)
    cdef TensorImpl one = scalar_tensor(1, storage.dtype)
    cdef Py_ssize_t[MAX_DIMS] still
    cdef Py_ssize_t[3] steps
    cdef char* args[3]
    cdef Kernel* kernel = binary_kernel(DIV, storage.dtype)
    if kernel == NULL:
        raise NotImplementedError(f'"as_strided_backward" not implemented for '
                                  f"'{class_name(storage.dtype)}'")
    memset(still, 0, g.count * sizeof(Py_ssize_t))
    add_into(_seen_in(count, g, first), as_strided_impl(one, g.count, g.sizes, still, 0))
    # places that belong to no element become 0 / 0 and are never read
    args[0] = args[2] = data(storage)
    args[1] = data(count)
    steps[0] = steps[1] = steps[2] = itemsizes[storage.dtype]
    kernel.loop(args, sizes(storage), steps, kernel.data)
    return 0


cdef TensorImpl _through_storage(TensorImpl grad, const Geometry* written, tuple shape,
                                 const Geometry* read, const Geometry* base):
    """Sum `grad` into a storage, divide each place by its number of base elements, and return a view."""
    cdef Py_ssize_t first = min(written.offset, read.offset)
    cdef Py_ssize_t end = _end(written), read_end = _end(read), total
    cdef TensorImpl storage
    if end == 0 or read_end == 0:
        return zeros(read.count, read.sizes, grad.dtype)
    total = max(end, read_end) - first
    storage = zeros(1, &total, grad.dtype)
    add_into(_seen_in(storage, written, first), _in_shape(grad, shape))
    if maybe_overlaps(base.count, base.sizes, base.strides):
        _divide_by_count(storage, base, first)
    return _seen_in(storage, read, first)


cdef TensorImpl as_strided_backward(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                    Py_ssize_t input_offset, tuple sizes, tuple strides,
                                    object storage_offset):
    cdef Geometry base, view
    _read_geometry(&view, sizes, strides, input_offset if storage_offset is None else storage_offset)
    _read_geometry(&base, input_sizes, input_strides, input_offset)
    return _through_storage(grad, &view, sizes, &base, &base)


cdef TensorImpl as_strided_gather(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                  Py_ssize_t input_offset, tuple sizes, tuple strides,
                                  object storage_offset):
    cdef Geometry base, view
    _read_geometry(&view, sizes, strides, input_offset if storage_offset is None else storage_offset)
    _read_geometry(&base, input_sizes, input_strides, input_offset)
    return _through_storage(grad, &base, input_sizes, &view, &base)


# ---- squeeze

cdef TensorImpl _unsqueeze_where(TensorImpl grad, tuple sizes, object dims):
    """Restore the dimensions of size 1, of all dimensions or of those in `dims`."""
    cdef int d
    for d in range(len(sizes)):
        if sizes[d] == 1 and (dims is None or d in dims):
            grad = unsqueeze(grad, d)
    return grad


cdef TensorImpl unsqueeze_to(TensorImpl grad, tuple sizes):
    return _unsqueeze_where(grad, sizes, None)


cdef TensorImpl unsqueeze_to_dim(TensorImpl grad, Py_ssize_t dim, tuple sizes):
    return _unsqueeze_where(grad, sizes, (wrap_dim(dim, len(sizes)),))


cdef TensorImpl unsqueeze_to_dims(TensorImpl grad, tuple dim, tuple sizes):
    return _unsqueeze_where(grad, sizes, [wrap_dim(d, len(sizes)) for d in dim])


# ---- several parts

cdef int _write_part(TensorImpl part, object grad) except -1:
    if grad is None:
        zero_(part)
    else:
        copy_(part, <TensorImpl>grad)
    return 0


cdef TensorImpl split_with_sizes_backward(list grads, tuple split_sizes, Py_ssize_t dim,
                                          tuple sizes,
                                          int dtype):
    cdef TensorImpl result = empty_tuple(sizes, dtype)
    cdef int d = wrap_dim(dim, len(sizes)), k
    cdef Py_ssize_t start = 0, length
    for k in range(len(grads)):
        length = split_sizes[k]
        _write_part(slice_dim(result, d, start, start + length, 1), grads[k])
        start += length
    return result


cdef TensorImpl split_backward(list grads, Py_ssize_t split_size, Py_ssize_t dim, tuple sizes,
                               int dtype):
    cdef TensorImpl result = empty_tuple(sizes, dtype)
    cdef int d = wrap_dim(dim, len(sizes))
    cdef Py_ssize_t start = 0
    for grad in grads:
        _write_part(slice_dim(result, d, start, start + split_size, 1), grad)
        start += split_size
    return result


cdef TensorImpl unbind_backward(list grads, Py_ssize_t dim):
    cdef TensorImpl given = None, result
    cdef Py_ssize_t[MAX_DIMS + 1] n
    cdef int d, k
    for grad in grads:
        if grad is not None:
            given = grad
            break
    if given is None:
        raise RuntimeError("unbind_backward: no gradient is defined")
    d = wrap_dim(dim, ndim(given) + 1)
    for k in range(ndim(given)):
        n[k + 1 if k >= d else k] = sizes(given)[k]
    n[d] = len(grads)
    result = empty(ndim(given) + 1, n, given.dtype)
    for k in range(len(grads)):
        _write_part(select_dim(result, d, k), grads[k])
    return result
