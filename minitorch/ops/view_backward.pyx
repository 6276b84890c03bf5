"""The derivatives of the view operators.

A view's gradient is written through the same view of a tensor of zeros. Where the view shows an
element more than once (`unfold`, `as_strided`) it is added instead: the last dimension of an
addition never overlaps in itself, or has stride 0, which the kernel understands as a sum.

References
----------
`as_strided_backward` is the rule of PyTorch's note "as_strided Backward and layout-aware/agnostic
autograd": scatter the gradient into storage, divide by how many input elements share a place, and
read it with the input's geometry.
"""

from libc.string cimport memset

from minitorch.core.dtype cimport class_name, itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, empty, empty_tuple, ndim, read_sizes, sizes,
    sizes_tuple, wrap_dim)
from minitorch.kernels.elementwise cimport DIV, Kernel, binary_kernel
from minitorch.ops.bulk cimport add_into, zeros, zeros_tuple
from minitorch.ops.copy cimport copy_, zero_
from minitorch.ops.scalar cimport scalar_tensor
from minitorch.ops.slices cimport diagonal, select, select_dim, slice, slice_dim, unfold
from minitorch.ops.views cimport expand, unsqueeze


cdef inline TensorImpl _in_shape(TensorImpl grad, tuple shape):
    """`grad` in the shape that the loops expect; an error if it has another one."""
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

cdef bint _maybe_overlaps(int n, const Py_ssize_t* size, const Py_ssize_t* stride) noexcept:
    """Whether two indices may have one place: PyTorch's test, exact for what permute and slice "
      "make."""
    cdef Py_ssize_t reach = 0, least
    cdef int d, found
    cdef unsigned long long done = 0
    while True:
        found = -1
        for d in range(n):
            if size[d] > 1 and not (done >> d) & 1 and (found < 0 or stride[d] < least):
                found = d
                least = stride[d]
        if found < 0:
            return False
        if least <= reach:
            return True
        reach += least * (size[found] - 1)
        done |= <unsigned long long>1 << found


cdef Py_ssize_t _extent(int n, const Py_ssize_t* size, const Py_ssize_t* stride) noexcept:
    """Elements of storage from the first place to the last one; 0 when there is no element."""
    cdef Py_ssize_t extent = 1
    for d in range(n):
        if size[d] == 0:
            return 0
        extent += (size[d] - 1) * stride[d]
    return extent


cdef int _read_geometry(tuple size, tuple stride, Py_ssize_t offset, Py_ssize_t* n,
                        Py_ssize_t* s) except -1:
    """Sizes and strides as arrays; the number of dimensions."""
    cdef int count = read_sizes(size, n), d
    if read_sizes(stride, s) != count:
        raise RuntimeError("mismatch in length of strides and shape")
    for d in range(count):
        if n[d] < 0 or s[d] < 0:
            raise RuntimeError("as_strided: negative sizes and strides are not supported, got "
                               f"{list(size)} and {list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    return count


cdef int _divide_by_count(TensorImpl storage, int n, const Py_ssize_t* size,
                          const Py_ssize_t* stride,
                          Py_ssize_t offset) except -1:
    cdef TensorImpl count = zeros(1, sizes(storage), storage.dtype)
    cdef TensorImpl one = scalar_tensor(1, storage.dtype)
    cdef Py_ssize_t[MAX_DIMS] still
    cdef Py_ssize_t[3] steps
    cdef char* args[3]
    cdef Kernel* kernel = binary_kernel(DIV, storage.dtype)
    if kernel == NULL:
        raise NotImplementedError(f'"as_strided_backward" not implemented for '
                                  f"'{class_name(storage.dtype)}'")
    memset(still, 0, n * sizeof(Py_ssize_t))
    add_into(as_strided_impl(count, n, size, stride, offset), as_strided_impl(one, n, size, still,
                                                                              0))
    # a place that no element has becomes 0 / 0 and is not read
    args[0] = args[2] = data(storage)
    args[1] = data(count)
    steps[0] = steps[1] = steps[2] = itemsizes[storage.dtype]
    kernel.loop(args, sizes(storage), steps, kernel.data)
    return 0


cdef TensorImpl as_strided_backward(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                    Py_ssize_t input_offset, tuple sizes, tuple strides,
                                    object storage_offset):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] in_n
    cdef Py_ssize_t[MAX_DIMS] in_s
    cdef Py_ssize_t offset = input_offset if storage_offset is None else storage_offset
    cdef Py_ssize_t first = min(offset, input_offset), extent, in_extent, total
    cdef int count = _read_geometry(sizes, strides, offset, n, s)
    cdef int in_count = _read_geometry(input_sizes, input_strides, input_offset, in_n, in_s)
    cdef TensorImpl storage
    extent = _extent(count, n, s)
    in_extent = _extent(in_count, in_n, in_s)
    if extent == 0 or in_extent == 0:
        return zeros(in_count, in_n, grad.dtype)
    total = max(extent + offset, in_extent + input_offset) - first
    storage = zeros(1, &total, grad.dtype)
    add_into(as_strided_impl(storage, count, n, s, offset - first), _in_shape(grad, sizes))
    if _maybe_overlaps(in_count, in_n, in_s):
        _divide_by_count(storage, in_count, in_n, in_s, input_offset - first)
    return as_strided_impl(storage, in_count, in_n, in_s, input_offset - first)


cdef TensorImpl as_strided_gather(TensorImpl grad, tuple input_sizes, tuple input_strides,
                                  Py_ssize_t input_offset, tuple sizes, tuple strides,
                                  object storage_offset):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] in_n
    cdef Py_ssize_t[MAX_DIMS] in_s
    cdef Py_ssize_t offset = input_offset if storage_offset is None else storage_offset
    cdef Py_ssize_t first = min(offset, input_offset), extent, in_extent, total
    cdef int count = _read_geometry(sizes, strides, offset, n, s)
    cdef int in_count = _read_geometry(input_sizes, input_strides, input_offset, in_n, in_s)
    cdef TensorImpl storage
    extent = _extent(count, n, s)
    in_extent = _extent(in_count, in_n, in_s)
    if extent == 0 or in_extent == 0:
        return zeros(count, n, grad.dtype)
    total = max(extent + offset, in_extent + input_offset) - first
    storage = zeros(1, &total, grad.dtype)
    add_into(as_strided_impl(storage, in_count, in_n, in_s, input_offset - first),
             _in_shape(grad, input_sizes))
    if _maybe_overlaps(in_count, in_n, in_s):
        _divide_by_count(storage, in_count, in_n, in_s, input_offset - first)
    return as_strided_impl(storage, count, n, s, offset - first)


# ---- squeeze

cdef TensorImpl _unsqueeze_where(TensorImpl grad, tuple sizes, object dims):
    """Bring back the dimensions of size 1, of all dimensions or of those in `dims`."""
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
