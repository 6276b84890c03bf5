"""Adaptive pooling."""

from minitorch.core.dtype cimport Int64, class_name, is_floating
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, ndim, numel, sizes, sizes_tuple)
from minitorch.kernels.avg_pooling cimport adaptive_avg_pool, adaptive_avg_pool_backward
from minitorch.kernels.pooling cimport POOL_OK, PoolShape, adaptive_max_pool, max_pool_backward
from minitorch.ops.bulk cimport zeros
from minitorch.ops.copy cimport CONTIGUOUS_FORMAT, contiguous
from minitorch.ops.memory_format cimport in_format, suggested_format
from minitorch.ops.type_names cimport type_name

cdef enum:
    RELEASE_GIL = 20000                 # elements from which a kernel runs without the GIL


# ---- checks and sizes

cdef int _check_input(TensorImpl self, int dims, str name, str got) except -1:
    cdef int d, n = ndim(self)
    if n != dims + 1 and n != dims + 2:
        raise RuntimeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{got} "
                           f"{list(sizes_tuple(self))}")
    for d in range(n - dims, n):
        if sizes(self)[d] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                "input has "
                f"sizes {list(sizes_tuple(self))} with dimension {d} being empty")
    return 0


cdef int _check_dtype(int dtype, str name) except -1:
    if not is_floating(dtype):
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    return 0


cdef int _fill(PoolShape* s, TensorImpl self, tuple output_size, int dims) except -1:
    """The kernel ignores windows, strides and paddings."""
    cdef int d, k, first = ndim(self) - dims
    for k in range(3):
        s.kernel[k] = s.stride[k] = s.dilation[k] = 1
        s.padding[k] = 0
        d = k - (3 - dims)
        s.in_size[k] = sizes(self)[first + d] if d >= 0 else 1
        s.out_size[k] = output_size[d] if d >= 0 else 1
    s.planes = 1
    for d in range(first):
        s.planes *= sizes(self)[d]
    return 0


cdef TensorImpl _output(const PoolShape* s, TensorImpl self, int dims, int dtype):
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, n = ndim(self)
    for d in range(n):
        shape[d] = sizes(self)[d] if d < n - dims else s.out_size[d - n + 3]
    return empty(n, shape, dtype)


cdef int _check_gradient(TensorImpl grad, TensorImpl self, str name) except -1:
    if ndim(grad) != ndim(self):
        raise RuntimeError(f"{name}: Expected dimensions {ndim(self)} for `grad_output` but got "
                           "dimensions "
                           f"{ndim(grad)}")
    if grad.dtype != self.dtype:
        raise RuntimeError(f"{name}: Expected dtype {type_name(self.dtype)} for `grad_output` but "
                           "got dtype "
                           f"{type_name(grad.dtype)}")
    return 0


cdef int _check_leading(TensorImpl grad, TensorImpl self, int dims, str name) except -1:
    cdef int d
    for d in range(ndim(self) - dims):
        if sizes(grad)[d] != sizes(self)[d]:
            raise RuntimeError(f"{name}: a gradient of size {list(sizes_tuple(grad))} does not fit "
                               "an input "
                               f"of size {list(sizes_tuple(self))}")
    return 0


cdef int _checked(int status) except -1:
    if status != POOL_OK:
        raise RuntimeError("adaptive pooling: a channel of more than 2**31 - 1 elements")
    return 0


# ---- average

cdef TensorImpl _average(TensorImpl self, tuple output_size, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl output
    cdef int status, memory_format, dtype = self.dtype
    cdef char* x
    cdef char* y
    if len(output_size) != dims:
        raise RuntimeError(f"{name}: output_size must be {dims}")
    _check_input(self, dims, name, "")
    _check_dtype(dtype, name)
    _fill(&s, self, output_size, dims)
    memory_format = suggested_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    output = _output(&s, self, dims, dtype)
    self = contiguous(self)
    x, y = data(self), data(output)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = adaptive_avg_pool(dtype, &s, x, y)
    else:
        status = adaptive_avg_pool(dtype, &s, x, y)
    _checked(status)
    return in_format(output, memory_format)


cdef TensorImpl _average_backward(TensorImpl grad, TensorImpl self, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef char* g
    cdef char* y
    cdef str template = f"{name}_backward_out_cpu_template"
    if dims == 3:
        template = f"{name}_backward"
    _check_input(grad, dims, f"{name}_backward", "")
    _check_gradient(grad, self, template)
    _check_leading(grad, self, dims, template)
    _check_dtype(dtype, f"{name}_backward")
    _fill(&s, self, sizes_tuple(grad)[ndim(grad) - dims:], dims)
    memory_format = suggested_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    result = zeros(ndim(self), sizes(self), dtype)
    grad = contiguous(grad)
    g, y = data(grad), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = adaptive_avg_pool_backward(dtype, &s, g, y)
    else:
        status = adaptive_avg_pool_backward(dtype, &s, g, y)
    _checked(status)
    return in_format(result, memory_format)


cdef TensorImpl _adaptive_avg_pool2d(TensorImpl self, tuple output_size):
    return _average(self, output_size, 2, "adaptive_avg_pool2d")


cdef TensorImpl _adaptive_avg_pool2d_backward(TensorImpl grad_output, TensorImpl self):
    return _average_backward(grad_output, self, 2, "adaptive_avg_pool2d")


cdef TensorImpl _adaptive_avg_pool3d(TensorImpl self, tuple output_size):
    return _average(self, output_size, 3, "adaptive_avg_pool3d")


cdef TensorImpl _adaptive_avg_pool3d_backward(TensorImpl grad_output, TensorImpl self):
    return _average_backward(grad_output, self, 3, "adaptive_avg_pool3d")


# ---- maximum

cdef tuple _maximum(TensorImpl self, tuple output_size, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl output, indices
    cdef int status, memory_format, dtype = self.dtype
    cdef char* x
    cdef char* y
    cdef char* k
    _check_input(self, dims, name, ":")
    if len(output_size) != dims:
        raise RuntimeError(f"{name}(): internal error: output_size.size() must be {dims}")
    _fill(&s, self, output_size, dims)
    memory_format = suggested_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    output = _output(&s, self, dims, dtype)
    _check_dtype(dtype, name)
    indices = _output(&s, self, dims, Int64)
    self = contiguous(self)
    x, y, k = data(self), data(output), data(indices)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = adaptive_max_pool(dtype, &s, x, y, k)
    else:
        status = adaptive_max_pool(dtype, &s, x, y, k)
    _checked(status)
    return in_format(output, memory_format), in_format(indices, memory_format)


cdef TensorImpl _maximum_backward(TensorImpl grad, TensorImpl self, TensorImpl indices, int dims,
                                  str name):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef char* g
    cdef char* k
    cdef char* y
    _check_input(grad, dims, f"{name}_backward", "")
    _check_gradient(grad, self, f"{name}_backward")
    _check_leading(grad, self, dims, f"{name}_backward")
    _check_dtype(dtype, f"{name}_backward")
    if indices.dtype != Int64:
        raise RuntimeError(f"expected scalar type Long but found {class_name(indices.dtype)}")
    if sizes_tuple(indices) != sizes_tuple(grad):
        raise RuntimeError(f"{name}_backward: indices of size {list(sizes_tuple(indices))} do not "
                           "fit a "
                           f"gradient of size {list(sizes_tuple(grad))}")
    _fill(&s, self, sizes_tuple(grad)[ndim(grad) - dims:], dims)
    memory_format = suggested_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    result = zeros(ndim(self), sizes(self), dtype)
    grad, indices = contiguous(grad), contiguous(indices)
    g, k, y = data(grad), data(indices), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = max_pool_backward(dtype, &s, g, k, y)
    else:
        status = max_pool_backward(dtype, &s, g, k, y)
    _checked(status)
    return in_format(result, memory_format)


cdef tuple adaptive_max_pool2d(TensorImpl self, tuple output_size):
    return _maximum(self, output_size, 2, "adaptive_max_pool2d")


cdef TensorImpl adaptive_max_pool2d_backward(TensorImpl grad_output, TensorImpl self,
                                             TensorImpl indices):
    return _maximum_backward(grad_output, self, indices, 2, "adaptive_max_pool2d")


cdef tuple adaptive_max_pool3d(TensorImpl self, tuple output_size):
    return _maximum(self, output_size, 3, "adaptive_max_pool3d")


cdef TensorImpl adaptive_max_pool3d_backward(TensorImpl grad_output, TensorImpl self,
                                             TensorImpl indices):
    return _maximum_backward(grad_output, self, indices, 3, "adaptive_max_pool3d")
