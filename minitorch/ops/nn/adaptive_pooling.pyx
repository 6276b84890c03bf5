"""Adaptive pooling: the checks, and the calls of the kernels."""

from minitorch.core.dtype cimport Int64, c_name, has_float_kernels
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, sizes_tuple
from minitorch.kernels.nn.avg_pooling cimport adaptive_avg_pool, adaptive_avg_pool_backward
from minitorch.kernels.nn.pooling cimport POOL_OK, PoolShape, adaptive_max_pool, max_pool_backward
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport check_scalar_type, not_implemented, size_at
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, contiguous
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format
from minitorch.ops.nn.pool_output cimport count_planes, pool_output

cdef enum:
    RELEASE_GIL = 20000                 # elements from which a kernel runs without the GIL


# ---- checks and sizes

cdef int _check_input(TensorImpl self, int dims, str name, str got) except -1:
    cdef int d, n = ndim(self)
    if n != dims + 1 and n != dims + 2:
        raise RuntimeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{got} "
                           f"{list(sizes_tuple(self))}")
    for d in range(n - dims if name.startswith("adaptive_avg_pool2d") else 1, n):
        if sizes(self)[d] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                "input has "
                f"sizes {list(sizes_tuple(self))} with dimension {d} being empty")
    return 0


cdef int _check_dtype(int dtype, str name) except -1:
    if not has_float_kernels(dtype):
        raise not_implemented(name, dtype)
    return 0


cdef int _fill(PoolShape* s, TensorImpl self, tuple output_size, int dims) except -1:
    """Fill in the batch, channels and sizes; the adaptive kernels ignore windows, strides and paddings."""
    cdef int d, k, first = ndim(self) - dims
    for k in range(3):
        s.kernel[k] = s.stride[k] = s.dilation[k] = 1
        s.padding[k] = 0
        d = k - (3 - dims)
        s.in_size[k] = sizes(self)[first + d] if d >= 0 else 1
        s.out_size[k] = output_size[d] if d >= 0 else 1
    count_planes(s, self, dims)
    return 0


cdef int _check_average_gradient(TensorImpl grad, TensorImpl self, int dims) except -1:
    cdef str template = f"adaptive_avg_pool{dims}d_backward_out_cpu_template"
    cdef str argument = "grad_output" if dims == 2 else "gradOutput_"
    cdef int d, dtype = self.dtype
    for d in range(1, dims + 1):
        size_at(grad, -d)
    if dims == 3:
        _check_input(grad, dims, "adaptive_avg_pool3d_backward", "")
    if ndim(grad) != ndim(self):
        raise RuntimeError(f"{template}: Expected dimensions {ndim(self)} for `{argument}` but got "
                           f"dimensions {ndim(grad)}")
    if dims == 2:
        _check_input(grad, dims, "adaptive_avg_pool2d_backward", "")
    if dims == 2 and grad.dtype != dtype:
        raise RuntimeError(f"{template}: Expected dtype {c_name(dtype)} for `grad_output` but "
                           f"got dtype {c_name(grad.dtype)}")
    for d in range(ndim(self) - dims):
        # PyTorch does not check this and reads and writes out of bounds
        if sizes(grad)[d] != sizes(self)[d]:
            raise RuntimeError(f"{template}: a gradient of size {list(sizes_tuple(grad))} does not "
                               f"fit an input of size {list(sizes_tuple(self))}")
    _check_dtype(dtype, f"adaptive_avg_pool{dims}d_backward" + ("_cpu" if dims == 3 else ""))
    return check_scalar_type(grad, dtype)


cdef int _check_maximum_gradient(TensorImpl grad, TensorImpl self, TensorImpl indices,
                                 int dims) except -1:
    cdef str name = f"adaptive_max_pool{dims}d_backward"
    cdef str argument = "grad_output" if dims == 2 else "gradOutput"
    cdef int d, n = ndim(grad), dtype = self.dtype
    if n != dims + 1 and n != dims + 2:
        raise RuntimeError(f"{'adaptive_max_pooling2d_backward' if dims == 2 else name}(): Expected "
                           f"{dims + 1}D or {dims + 2}D {argument}, but got: "
                           f"{list(sizes_tuple(grad))}")
    for d in range(n - dims, n):
        if sizes(grad)[d] == 0:
            raise RuntimeError(
                f"{name}(): Expected {argument} to have non-zero size for non-batch dimensions, "
                f"but {argument} has sizes {list(sizes_tuple(grad))} with dimension {d} being "
                "empty")
    if grad.dtype != dtype:
        raise RuntimeError(f"expected dtype {c_name(dtype)} for `{argument}` but got dtype "
                           f"{c_name(grad.dtype)}")
    if ndim(indices) != ndim(self):
        raise RuntimeError(f"expected dimensions {ndim(self)} for `indices` but got dimensions "
                           f"{ndim(indices)}")
    if sizes_tuple(indices) != sizes_tuple(grad):
        raise RuntimeError(f"expected sizes {list(sizes_tuple(indices))} for `{argument}` but got "
                           f"sizes {list(sizes_tuple(grad))}")
    for d in range(ndim(self) - dims):
        if sizes(grad)[d] != sizes(self)[d]:
            raise RuntimeError(f"{name}: a gradient of size {list(sizes_tuple(grad))} does not fit "
                               f"an input of size {list(sizes_tuple(self))}")
    _check_dtype(dtype, name)
    return check_scalar_type(indices, Int64)


cdef int _checked(int status) except -1:
    if status != POOL_OK:
        raise RuntimeError("adaptive pooling: a channel of more than 2**31 - 1 elements")
    return 0


# ---- average

cdef TensorImpl _average(TensorImpl self, tuple output_size, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl output
    cdef int d, status, memory_format, dtype = self.dtype
    cdef char* x
    cdef char* y
    if len(output_size) != dims:
        raise RuntimeError(f"{name}: output_size must be {dims}")
    for d in range(dims):
        if output_size[d] < 0:
            received = f"{', '.join(map(str, output_size[:2]))}{',' if dims == 3 else ''}"
            raise RuntimeError(
                f"{name}: elements of output_size must be greater than or equal to 0 but received "
                f"{{{received}{output_size[2] if dims == 3 else ''}}}")
    _check_input(self, dims, name, "")
    if 0 not in output_size:
        _check_dtype(dtype, name if dims == 2 else f"{name}_cpu")
    _fill(&s, self, output_size, dims)
    memory_format = suggest_memory_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    output = pool_output(&s, self, dims, dtype)
    if 0 in output_size:
        return in_format(output, memory_format)
    self = contiguous(self)
    x, y = data(self), data(output)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = adaptive_avg_pool(dtype, &s, x, y)
    else:
        status = adaptive_avg_pool(dtype, &s, x, y)
    _checked(status)
    return in_format(output, memory_format)


cdef TensorImpl _average_backward(TensorImpl grad, TensorImpl self, int dims):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef char* g
    cdef char* y
    _check_average_gradient(grad, self, dims)
    _fill(&s, self, sizes_tuple(grad)[ndim(grad) - dims:], dims)
    memory_format = suggest_memory_format(self) if dims == 2 else CONTIGUOUS_FORMAT
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
    return _average_backward(grad_output, self, 2)


cdef TensorImpl _adaptive_avg_pool3d(TensorImpl self, tuple output_size):
    return _average(self, output_size, 3, "adaptive_avg_pool3d")


cdef TensorImpl _adaptive_avg_pool3d_backward(TensorImpl grad_output, TensorImpl self):
    return _average_backward(grad_output, self, 3)


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
    memory_format = suggest_memory_format(self) if dims == 2 else CONTIGUOUS_FORMAT
    output = pool_output(&s, self, dims, dtype)
    _check_dtype(dtype, name if dims == 2 else f"{name}_cpu")
    indices = pool_output(&s, self, dims, Int64)
    self = contiguous(self)
    x, y, k = data(self), data(output), data(indices)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = adaptive_max_pool(dtype, &s, x, y, k)
    else:
        status = adaptive_max_pool(dtype, &s, x, y, k)
    _checked(status)
    return in_format(output, memory_format), in_format(indices, memory_format)


cdef TensorImpl _maximum_backward(TensorImpl grad, TensorImpl self, TensorImpl indices, int dims):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef char* g
    cdef char* k
    cdef char* y
    _check_maximum_gradient(grad, self, indices, dims)
    _fill(&s, self, sizes_tuple(grad)[ndim(grad) - dims:], dims)
    memory_format = suggest_memory_format(self) if dims == 2 else CONTIGUOUS_FORMAT
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
    return _maximum_backward(grad_output, self, indices, 2)


cdef tuple adaptive_max_pool3d(TensorImpl self, tuple output_size):
    return _maximum(self, output_size, 3, "adaptive_max_pool3d")


cdef TensorImpl adaptive_max_pool3d_backward(TensorImpl grad_output, TensorImpl self,
                                             TensorImpl indices):
    return _maximum_backward(grad_output, self, indices, 3)
