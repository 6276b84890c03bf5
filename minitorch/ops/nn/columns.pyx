"""Convert images to columns of windows and back: the checks around `kernels/nn/columns.pyx`."""

from minitorch.core.dtype cimport (
    Bool, Complex128, Complex64, Float32, Float64, has_float_kernels, is_complex, is_reduced_floating,
    itemsizes)
from minitorch.core.overflow cimport mul_overflows
from minitorch.core.tensor_impl cimport TensorImpl, data, empty_tuple, numel, sizes_tuple
from minitorch.kernels.nn.columns cimport ColumnsShape
from minitorch.kernels.nn.columns cimport col2im as col2im_kernel
from minitorch.kernels.nn.columns cimport im2col as im2col_kernel
from minitorch.ops.common.bulk cimport zeros_tuple
from minitorch.ops.common.checks cimport not_implemented, size_at
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.nn.windows cimport extent, padded

cdef enum:
    RELEASE_GIL = 20000                 # elements from which a kernel runs without the GIL


cdef int _fill_shape(ColumnsShape* s, tuple size, tuple kernel_size, tuple dilation, tuple padding,
                     tuple stride) except -1:
    cdef int d
    cdef Py_ssize_t rest
    for name, pair in (("output_size", size), ("kernel_size", kernel_size), ("dilation", dilation),
                       ("padding", padding), ("stride", stride)):
        if len(pair) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(pair)}")
    for d in range(2):
        s.size[d], s.kernel[d], s.dilation[d] = size[d], kernel_size[d], dilation[d]
        s.padding[d], s.stride[d] = padding[d], stride[d]
    _check_positive("kernel size", "kernel", kernel_size)
    if mul_overflows(s.kernel[0], s.kernel[1], &rest):
        raise RuntimeError(f"Given kernel_width = {s.kernel[1]} and kernel_height = {s.kernel[0]} the product "
                           "of kernel_width and kernel_height overflowed.")
    _check_positive("dilation", "dilation", dilation)
    if min(padding) < 0:
        raise RuntimeError(
            f"padding should be non-negative, but got pad_height: {padding[0]} pad_width: {padding[1]}")
    _check_positive("stride", "stride", stride)
    for d in range(2):
        rest = padded(s.size[d], s.padding[d]) - extent(s.kernel[d], s.dilation[d])
        s.count[d] = (rest if rest >= 0 else rest - s.stride[d] + 1) // s.stride[d] + 1
    return 0


cdef int _check_positive(str name, str short, tuple pair) except -1:
    if min(pair) < 1:
        raise RuntimeError(f"{name} should be greater than zero, but got {short}_height: {pair[0]} "
                           f"{short}_width: {pair[1]}")
    return 0


cdef int _check_dtype(TensorImpl t, str name) except -1:
    if not (has_float_kernels(t.dtype) or t.dtype == Complex64 or t.dtype == Complex128 or t.dtype == Bool):
        raise not_implemented(name, t.dtype)
    return 0


cdef TensorImpl im2col(TensorImpl self, tuple kernel_size, tuple dilation, tuple padding, tuple stride):
    cdef ColumnsShape s
    cdef tuple shape = sizes_tuple(self)
    cdef TensorImpl source, result
    cdef const char* of
    cdef char* to
    if len(shape) < 3:
        size_at(self, -1)               # raises PyTorch's errors
        size_at(self, -2)
        size_at(self, 2)
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        # raises the errors that precede this one in PyTorch
        _fill_shape(&s, (1, 1), kernel_size, dilation, padding, stride)
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
                           f"non-zero dimensions for input, but got: {list(shape)}")
    _fill_shape(&s, shape[-2:], kernel_size, dilation, padding, stride)
    if s.count[0] < 1 or s.count[1] < 1:
        raise RuntimeError(
            f"Given input with spatial size ({s.size[0]}, {s.size[1]}), kernel_size=({s.kernel[0]}, "
            f"{s.kernel[1]}), dilation=({s.dilation[0]}, {s.dilation[1]}), padding=({s.padding[0]}, "
            f"{s.padding[1]}), calculated shape of the array of sliding blocks as ({s.count[0]}, "
            f"{s.count[1]}), but its components must be at least one.")
    _check_dtype(self, "im2col_out_cpu")
    source = contiguous(self)
    result = empty_tuple(
        shape[:-3] + (shape[len(shape) - 3] * s.kernel[0] * s.kernel[1], s.count[0] * s.count[1]), self.dtype)
    if numel(result) == 0:
        return result
    s.planes = numel(self) // (s.size[0] * s.size[1])
    of = data(source)
    to = data(result)
    if numel(result) >= RELEASE_GIL:
        with nogil:
            im2col_kernel(&s, itemsizes[self.dtype], of, to)
    else:
        im2col_kernel(&s, itemsizes[self.dtype], of, to)
    return result


cdef TensorImpl col2im(TensorImpl self, tuple output_size, tuple kernel_size, tuple dilation, tuple padding,
                       tuple stride):
    cdef ColumnsShape s
    cdef tuple shape = sizes_tuple(self)
    cdef TensorImpl source, result
    cdef int dtype, parts = 2 if is_complex(self.dtype) else 1
    cdef const char* of
    cdef char* to
    _fill_shape(&s, output_size, kernel_size, dilation, padding, stride)
    _check_columns(&s, shape)
    _check_dtype(self, "col2im_out_cpu")
    # dtypes without a kernel are summed in float32
    source = contiguous(cast(self, Float32) if is_reduced_floating(self.dtype) or self.dtype == Bool else self)
    result = zeros_tuple(
        shape[:-2] + (shape[len(shape) - 2] // (s.kernel[0] * s.kernel[1]), s.size[0], s.size[1]),
        source.dtype)
    if numel(result) > 0:
        dtype = {Complex64: Float32, Complex128: Float64}.get(source.dtype, source.dtype)
        s.planes = numel(result) // (s.size[0] * s.size[1])
        of = data(source)
        to = data(result)
        if numel(source) >= RELEASE_GIL:
            with nogil:
                col2im_kernel(&s, dtype, parts, of, to)
        else:
            col2im_kernel(&s, dtype, parts, of, to)
    return cast(result, self.dtype)


cdef int _check_columns(const ColumnsShape* s, tuple shape) except -1:
    cdef Py_ssize_t n = s.count[0] * s.count[1], rows, columns
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
                           f"non-zero dimensions for input, but got: {list(shape)}")
    rows, columns = shape[len(shape) - 2], shape[len(shape) - 1]
    if rows % (s.kernel[0] * s.kernel[1]):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={rows} and kernel_size=({s.kernel[0]}, {s.kernel[1]}).")
    if columns != n:
        raise RuntimeError(
            f"Given output_size=({s.size[0]}, {s.size[1]}), kernel_size=({s.kernel[0]}, {s.kernel[1]}), "
            f"dilation=({s.dilation[0]}, {s.dilation[1]}), padding=({s.padding[0]}, {s.padding[1]}), "
            f"stride=({s.stride[0]}, {s.stride[1]}), expected size of input's dimension 2 to match the "
            f"calculated number of sliding blocks {s.count[0]} * {s.count[1]} = {n}, but got "
            f"input.size(2)={columns}.")
    return 0
