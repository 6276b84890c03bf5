"""Maximum and average pooling: sizes and checks; the kernels iterate over the windows."""

from libc.limits cimport INT_MAX, INT_MIN

from minitorch.core.dtype cimport (
    Bool, Int64, c_name, class_name, has_float_kernels, is_complex, is_reduced_floating)
from minitorch.core.tensor_impl cimport TensorImpl, data, ndim, numel, sizes, sizes_tuple
from minitorch.kernels.nn.avg_pooling cimport avg_pool, avg_pool_backward
from minitorch.kernels.nn.pooling cimport POOL_OK, PoolShape, max_pool, max_pool_backward
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport CARRIED, check_scalar_type, not_implemented, reject_dtypes, size_at
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, contiguous, copy_
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.nn.pool_output cimport count_planes, pool_output

cdef enum:
    RELEASE_GIL = 20000                 # elements from which a kernel runs without the GIL

cdef dict _NUMBERS = {2: "two", 3: "three"}
cdef dict _AXES = {2: ("H", "W"), 3: ("T", "H", "W")}


# ---- arguments

cdef int _expand(tuple values, int dims, str text, Py_ssize_t* out) except -1:
    cdef int d, n = len(values)
    cdef Py_ssize_t value
    if n != 1 and n != dims:
        raise RuntimeError(text)
    for d in range(dims):
        value = values[d if n > 1 else 0]
        if not INT_MIN <= value <= INT_MAX:
            raise RuntimeError("value cannot be converted to type int without overflow")
        out[3 - dims + d] = value
    return 0


cdef int _read(PoolShape* s, tuple kernel_size, tuple stride, tuple padding, tuple dilation,
               int dims,
               str name) except -1:
    cdef int k
    cdef str several = f"a tuple of {_NUMBERS[dims]} ints", either = "" if name == "avg_pool3d" else "either "
    for k in range(3):
        s.in_size[k] = s.out_size[k] = s.kernel[k] = s.stride[k] = s.dilation[k] = 1
        s.padding[k] = 0
    _expand(kernel_size, dims, f"{name}: kernel_size must {either}be a single int, or {several}",
            s.kernel)
    _expand(stride if len(stride) else kernel_size, dims,
            f"{name}: stride must {either}be omitted, a single int, or {several}", s.stride)
    _expand(padding, dims, f"{name}: padding must {either}be a single int, or {several}", s.padding)
    _expand(dilation, dims, f"{name}: dilation must be either a single int, or {several}",
            s.dilation)
    return 0


cdef Py_ssize_t _output_size(Py_ssize_t size, Py_ssize_t kernel, Py_ssize_t padding,
                             Py_ssize_t stride,
                             Py_ssize_t dilation, bint ceil_mode) except? -1:
    cdef Py_ssize_t room, result
    if stride == 0:
        raise RuntimeError("stride should not be zero")
    if padding < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {padding}")
    if padding > ((kernel - 1) * dilation + 1) // 2:
        raise RuntimeError("pad should be at most half of effective kernel size, but got "
                           f"pad={padding}, kernel_size={kernel} and dilation={dilation}")
    room = size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)
    result = (room - (stride - 1) if room < 0 else room) // stride + 1      # floor division
    # with ceil_mode, the last window must begin inside the input or its left padding
    if ceil_mode and (result - 1) * stride >= size + padding:
        result -= 1
    return result


cdef int _fill(PoolShape* s, TensorImpl self, int dims, bint ceil_mode, str name) except -1:
    """Check the arguments and fill in the sizes."""
    cdef int d, k, n = ndim(self), first = n - dims
    cdef bint valid = True, fits = True
    if n != dims + 1 and n != dims + 2:
        if name == "avg_pool2d":
            size_at(self, -3)
            raise RuntimeError("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch "
                               "size for "
                               f"input, but got:{list(sizes_tuple(self))}")
        raise RuntimeError(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for "
                           "input")
    for d in range(dims):
        k = 3 - dims + d
        s.in_size[k] = sizes(self)[first + d]
        s.out_size[k] = _output_size(s.in_size[k], s.kernel[k], s.padding[k], s.stride[k],
                                     s.dilation[k],
                                     ceil_mode)
        fits = fits and s.out_size[k] >= 1
    for values, prefix, what in (([s.kernel[k] for k in range(3)], "k", "kernel size"),
                                 ([s.stride[k] for k in range(3)], "d", "stride"),
                                 ([s.dilation[k] for k in range(3)], "dilation", "dilation")):
        if min(values) <= 0:
            text = " ".join([f"{prefix}{a}: {v}" for a, v in zip(_AXES[dims], values[3 - dims:])])
            raise RuntimeError(f"{what} should be greater than zero, but got {text}")
    for d in range(n - dims - 1, n):
        valid = valid and sizes(self)[d] > 0
    if not valid:
        if dims == 3:
            template = "max_pool3d_with_indices_out_cpu_template" if name == "max_pool3d" else name
            raise RuntimeError(
                f"{template}(): Expected input's non-batch dimensions to have positive length, but input "
                f"has a shape of {list(sizes_tuple(self))} and non-batch dimension 0 has length zero!")
        raise RuntimeError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with optional 0 dim batch "
            "size for "
            f"input, but got:{list(sizes_tuple(self))}")
    if name == "avg_pool3d" and (s.in_size[0] < s.kernel[0] or s.in_size[1] < s.kernel[1]
                                 or s.in_size[2] < s.kernel[2]):
        # padding does not count here
        raise RuntimeError(
            f"input image (T: {s.in_size[0]} H: {s.in_size[1]} W: {s.in_size[2]}) smaller than "
            f"kernel size (kT: {s.kernel[0]} kH: {s.kernel[1]} kW: {s.kernel[2]})")
    if not fits:
        channels = sizes(self)[first - 1]
        before = "x".join(map(str, [channels] + [s.in_size[3 - dims + d] for d in range(dims)]))
        after = "x".join(map(str, [channels] + [s.out_size[3 - dims + d] for d in range(dims)]))
        raise RuntimeError(f"Given input size: ({before}). Calculated output size: ({after}). "
                           "Output size "
                           "is too small")
    count_planes(s, self, dims)
    return 0


cdef int _check_dtype_of(TensorImpl grad, TensorImpl self) except -1:
    if grad.dtype != self.dtype:
        raise RuntimeError(f"expected dtype {c_name(self.dtype)} for `gradOutput` but got dtype "
                           f"{c_name(grad.dtype)}")
    return 0


cdef int _check_sizes(TensorImpl grad, TensorImpl self, const PoolShape* s, int dims) except -1:
    """Raise unless a gradient or a tensor of indices has the sizes of the output."""
    cdef int d, n = ndim(self)
    cdef Py_ssize_t wanted
    for d in list(range(n - dims - 1, n)) + list(range(n - dims - 1)):      # PyTorch's order
        wanted = sizes(self)[d] if d < n - dims else s.out_size[d - n + 3]
        if ndim(grad) != n or sizes(grad)[d] != wanted:
            size_at(grad, 0)
            got = sizes(grad)[d] if d < ndim(grad) else 0
            raise RuntimeError(f"Expected a tensor of dimension {n} and tensor.size[{d}] == "
                               f"{wanted} but "
                               f"got: dimension {ndim(grad)} and tensor.size[{d}] = {got}")
    return 0


cdef int _checked(int status, str name, int dtype) except -1:
    if status == POOL_OK:
        return 0
    reject_dtypes(dtype, CARRIED, name)
    raise RuntimeError(f"{name}: a channel of more than 2**31 - 1 elements, or the dtype "
                       f"{class_name(dtype)}")


cdef int _format_of(TensorImpl self, int dims) noexcept:
    """Return the memory format of the result; only batches can be channels last."""
    return suggest_memory_format(self) if ndim(self) == dims + 2 else CONTIGUOUS_FORMAT


# ---- maximum

cdef tuple _max_pool(TensorImpl self, tuple kernel_size, tuple stride, tuple padding,
                     tuple dilation,
                     bint ceil_mode, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl output, indices
    cdef int status, memory_format, dtype = self.dtype
    cdef char* x
    cdef char* y
    cdef char* k
    _read(&s, kernel_size, stride, padding, dilation, dims, name)
    _fill(&s, self, dims, ceil_mode, name)
    if dtype == Bool or is_complex(dtype):
        raise not_implemented(name, dtype)
    memory_format = _format_of(self, dims)
    output = pool_output(&s, self, dims, dtype)
    indices = pool_output(&s, self, dims, Int64)
    self = contiguous(self)
    x, y, k = data(self), data(output), data(indices)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = max_pool(dtype, &s, x, y, k)
    else:
        status = max_pool(dtype, &s, x, y, k)
    _checked(status, name, dtype)
    return in_format(output, memory_format), in_format(indices, memory_format)


cdef TensorImpl _max_pool_backward(TensorImpl grad, TensorImpl self, tuple kernel_size,
                                   tuple stride,
                                   tuple padding, tuple dilation, bint ceil_mode,
                                   TensorImpl indices,
                                   int dims, str name):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef char* g
    cdef char* at
    cdef char* y
    cdef int k
    _read(&s, kernel_size, stride, padding, dilation, dims, name)
    _fill(&s, self, dims, ceil_mode, name)
    _check_dtype_of(grad, self)
    if dims == 3:
        for k in (-3, -2, -1):
            size_at(grad, k)
    _check_sizes(grad, self, &s, dims)
    _check_sizes(indices, self, &s, dims)
    if not has_float_kernels(dtype):
        raise not_implemented(f"{name}_backward", dtype)
    check_scalar_type(indices, Int64)
    memory_format = _format_of(self, dims)
    result = zeros(ndim(self), sizes(self), dtype)
    grad, indices = contiguous(grad), contiguous(indices)
    g, at, y = data(grad), data(indices), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = max_pool_backward(dtype, &s, g, at, y)
    else:
        status = max_pool_backward(dtype, &s, g, at, y)
    _checked(status, name, dtype)
    return in_format(result, memory_format)


cdef tuple max_pool2d_with_indices(TensorImpl self, tuple kernel_size, tuple stride=(),
                                   tuple padding=(0,), tuple dilation=(1,), bint ceil_mode=False):
    return _max_pool(self, kernel_size, stride, padding, dilation, ceil_mode, 2, "max_pool2d")


cdef TensorImpl max_pool2d_with_indices_backward(
        TensorImpl grad_output, TensorImpl self, tuple kernel_size, tuple stride, tuple padding,
        tuple dilation, bint ceil_mode, TensorImpl indices):
    return _max_pool_backward(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode,
                              indices, 2, "max_pool2d")


cdef tuple max_pool3d_with_indices(TensorImpl self, tuple kernel_size, tuple stride=(),
                                   tuple padding=(0,), tuple dilation=(1,), bint ceil_mode=False):
    return _max_pool(self, kernel_size, stride, padding, dilation, ceil_mode, 3, "max_pool3d")


cdef TensorImpl max_pool3d_with_indices_backward(
        TensorImpl grad_output, TensorImpl self, tuple kernel_size, tuple stride, tuple padding,
        tuple dilation, bint ceil_mode, TensorImpl indices):
    return _max_pool_backward(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode,
                              indices, 3, "max_pool3d")


# ---- average

cdef long long _divisor(object divisor_override) except? -1:
    """Return the divisor, or 0 for the size of the window."""
    if divisor_override is None:
        return 0
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    return divisor_override


cdef int _check_average_dtype(int dtype, str name) except -1:
    cdef bint volume = name.startswith("avg_pool3d")
    if (has_float_kernels(dtype) and not (volume and is_reduced_floating(dtype))) or dtype == Int64:
        return 0
    raise not_implemented(f"{name}_out_frame" if volume else name, dtype)


cdef TensorImpl _avg_pool(TensorImpl self, tuple kernel_size, tuple stride, tuple padding,
                          bint ceil_mode, bint count_include_pad, object divisor_override, int dims,
                          str name, TensorImpl out):
    cdef PoolShape s
    cdef TensorImpl output
    cdef int status, memory_format, dtype = self.dtype
    cdef long long divisor
    cdef char* x
    cdef char* y
    _read(&s, kernel_size, stride, padding, (1,), dims, name)
    divisor = _divisor(divisor_override)
    _fill(&s, self, dims, ceil_mode, name)
    _check_average_dtype(dtype, name)
    memory_format = _format_of(self, dims) if dims == 2 else CONTIGUOUS_FORMAT
    output = pool_output(&s, self, dims, dtype)
    self = contiguous(self)
    x, y = data(self), data(output)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = avg_pool(dtype, &s, count_include_pad, divisor, x, y)
    else:
        status = avg_pool(dtype, &s, count_include_pad, divisor, x, y)
    _checked(status, name, dtype)
    if out is not None:
        check_out_dtype(out, dtype)
        resize_output(out, ndim(output), sizes(output))
        return copy_(out, output)
    return in_format(output, memory_format)


cdef TensorImpl _avg_pool_backward(TensorImpl grad, TensorImpl self, tuple kernel_size,
                                   tuple stride,
                                   tuple padding, bint ceil_mode, bint count_include_pad,
                                   object divisor_override, int dims, str name):
    cdef PoolShape s
    cdef TensorImpl result
    cdef int status, memory_format, dtype = self.dtype
    cdef long long divisor
    cdef char* g
    cdef char* y
    _read(&s, kernel_size, stride, padding, (1,), dims, name)
    divisor = _divisor(divisor_override)
    _fill(&s, self, dims, ceil_mode, name)
    if dims == 2:
        _check_dtype_of(grad, self)
    _check_sizes(grad, self, &s, dims)
    _check_average_dtype(dtype, f"{name}_backward")
    check_scalar_type(grad, dtype)
    memory_format = _format_of(self, dims) if dims == 2 else CONTIGUOUS_FORMAT
    result = zeros(ndim(self), sizes(self), dtype)
    grad = contiguous(grad)
    g, y = data(grad), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = avg_pool_backward(dtype, &s, count_include_pad, divisor, g, y)
    else:
        status = avg_pool_backward(dtype, &s, count_include_pad, divisor, g, y)
    _checked(status, name, dtype)
    return in_format(result, memory_format)


cdef TensorImpl avg_pool2d(TensorImpl self, tuple kernel_size, tuple stride=(), tuple padding=(0,),
                           bint ceil_mode=False, bint count_include_pad=True,
                           object divisor_override=None, TensorImpl out=None):
    return _avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                     divisor_override, 2, "avg_pool2d", out)


cdef TensorImpl avg_pool2d_backward(TensorImpl grad_output, TensorImpl self, tuple kernel_size,
                                    tuple stride, tuple padding, bint ceil_mode,
                                    bint count_include_pad, object divisor_override):
    return _avg_pool_backward(grad_output, self, kernel_size, stride, padding, ceil_mode,
                              count_include_pad, divisor_override, 2, "avg_pool2d")


cdef TensorImpl avg_pool3d(TensorImpl self, tuple kernel_size, tuple stride=(), tuple padding=(0,),
                           bint ceil_mode=False, bint count_include_pad=True,
                           object divisor_override=None, TensorImpl out=None):
    return _avg_pool(self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                     divisor_override, 3, "avg_pool3d", out)


cdef TensorImpl avg_pool3d_backward(TensorImpl grad_output, TensorImpl self, tuple kernel_size,
                                    tuple stride, tuple padding, bint ceil_mode,
                                    bint count_include_pad, object divisor_override):
    return _avg_pool_backward(grad_output, self, kernel_size, stride, padding, ceil_mode,
                              count_include_pad, divisor_override, 3, "avg_pool3d")
