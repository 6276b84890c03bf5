"""Resampling to another size: the checks around `kernels/nn/upsample.pyx`, and PyTorch's names."""

from minitorch.core.dtype cimport Float32, UInt8, has_float_kernels, is_reduced_floating
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty_tuple, ndim, numel, sizes, sizes_tuple)
from minitorch.kernels.nn.upsample cimport (
    UPSAMPLE_CUBIC, UPSAMPLE_LINEAR, UPSAMPLE_NEAREST, UPSAMPLE_NEAREST_EXACT, UPSAMPLE_NO_MEMORY,
    UpsampleMode, UpsampleShape, upsample, upsample_backward)
from minitorch.ops.common.bulk cimport zeros_tuple
from minitorch.ops.common.checks cimport not_implemented, size_at
from minitorch.ops.common.copy cimport (
    CHANNELS_LAST_3D_FORMAT, CHANNELS_LAST_FORMAT, CONTIGUOUS_FORMAT, cast, contiguous, is_in_format)
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format

cdef enum:
    RELEASE_GIL = 20000                 # elements from which a kernel runs without the GIL


# ---- checks

cdef int _check_sizes(tuple input_size, tuple output_size, int dims) except -1:
    cdef str joined = " and" if dims == 1 else ""
    if len(output_size) != dims:
        raise RuntimeError(
            f"It is expected output_size equals to {dims}, but got size {len(output_size)}")
    if len(input_size) != dims + 2:
        raise RuntimeError(
            f"It is expected input_size equals to {dims + 2}, but got size {len(input_size)}")
    if min(input_size[2:]) <= 0 or min(output_size) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {_named(input_size[2:])}"
            f"{joined} output {_named(output_size)}")
    return 0


cdef str _named(tuple lengths):
    names = "DHW"[3 - len(lengths):]
    return "(" + ", ".join([f"{n}: {v}" for n, v in zip(names, lengths)]) + ")"


cdef int _check_input(TensorImpl self, UpsampleMode mode, int dims) except -1:
    if numel(self) == 0 and 0 in sizes_tuple(self)[1:]:
        raise RuntimeError(f"Non-empty {dims + 2}D data tensor expected but got a tensor with sizes "
                           f"{list(sizes_tuple(self))}")
    return _check_dtype(self.dtype, mode, dims)


cdef int _check_dtype(int dtype, UpsampleMode mode, int dims) except -1:
    cdef bint nearest = mode == UPSAMPLE_NEAREST or mode == UPSAMPLE_NEAREST_EXACT
    if has_float_kernels(dtype) or nearest and dtype == UInt8:
        return 0
    # the names of PyTorch's kernels that do not support the dtype
    if nearest:
        raise not_implemented(
            "upsample_nearest2d_channels_last" if dims == 2 else "compute_indices_weights_nearest", dtype)
    if mode == UPSAMPLE_CUBIC:
        raise not_implemented("compute_indices_weights_cubic", dtype)
    raise not_implemented(
        "upsample_bilinear2d_channels_last" if dims == 2 else "compute_indices_weights_linear", dtype)


cdef int _check_gradient(TensorImpl grad, tuple wanted) except -1:
    cdef int d
    if len(wanted) == 3:
        for d in range(3):
            if size_at(grad, d) != wanted[d] or ndim(grad) != 3:
                raise RuntimeError(
                    f"Expected a tensor of dimension 3 and tensor.size[{d}] == {wanted[d]} but got: "
                    f"dimension {ndim(grad)} and tensor.size[{d}] = {sizes(grad)[d]}")
        return 0
    if ndim(grad) != <int>len(wanted):
        raise RuntimeError(f"Expected grad_output to be a tensor of dimension {len(wanted)} but got: "
                           f"dimension {ndim(grad)}")
    for d in range(ndim(grad)):
        if sizes(grad)[d] != wanted[d]:
            raise RuntimeError(
                "Expected grad_output to have the same shape as output; "
                f"output.size({d}) = {wanted[d]} but got grad_output.size({d}) = {sizes(grad)[d]}")
    return 0


cdef str _loop_of_gradient(TensorImpl grad, UpsampleMode mode, int dims):
    """Return the name of PyTorch's kernel for the gradient."""
    cdef bint last = dims > 1 and is_in_format(
        grad, CHANNELS_LAST_FORMAT if dims == 2 else CHANNELS_LAST_3D_FORMAT)
    if mode == UPSAMPLE_CUBIC:
        return "upsample_bicubic2d_backward"
    if mode == UPSAMPLE_LINEAR:
        name = ("linear1d", "bilinear2d", "trilinear3d")[dims - 1]
        return f"upsample_{name}_backward" + ("_channels_last" if last else "")
    if mode == UPSAMPLE_NEAREST_EXACT:
        return f"_upsample_nearest_exact{dims}d_backward" + ("_cl" if last else "")
    return ("_" if last and dims == 3 else "") + f"upsample_nearest{dims}d_backward" + ("_cl" if last else "")


# ---- both directions

cdef int _fill_shape(UpsampleShape* s, UpsampleMode mode, tuple input_size, tuple output_size,
                     bint align_corners, tuple scales) except -1:
    cdef int d, dims = len(output_size), lead = 3 - dims
    s.mode = mode
    s.planes = input_size[0] * input_size[1]
    s.align_corners = align_corners
    for d in range(3):
        s.in_size[d] = 1 if d < lead else input_size[2 + d - lead]
        s.out_size[d] = 1 if d < lead else output_size[d - lead]
        s.scale_factor[d] = 0 if d < lead or scales[d - lead] is None else scales[d - lead]
    return 0


cdef TensorImpl _resample(TensorImpl self, UpsampleMode mode, tuple output_size, bint align_corners,
                          tuple scales):
    cdef int dims = len(scales), status, dtype
    cdef int format = suggest_memory_format(self)
    cdef UpsampleShape s
    cdef TensorImpl source, result
    cdef const char* of
    cdef char* to
    _check_sizes(sizes_tuple(self), output_size, dims)
    _check_input(self, mode, dims)
    _fill_shape(&s, mode, sizes_tuple(self), output_size, align_corners, scales)
    source = _computed(self)
    dtype = source.dtype
    result = empty_tuple(sizes_tuple(self)[:2] + output_size, dtype)
    if numel(result) > 0:
        of = data(source)
        to = data(result)
        if numel(result) >= RELEASE_GIL:
            with nogil:
                status = upsample(dtype, &s, of, to)
        else:
            status = upsample(dtype, &s, of, to)
        _check_status(status)
    return in_format(cast(result, self.dtype), format)


cdef TensorImpl _resample_backward(TensorImpl grad, UpsampleMode mode, tuple output_size, tuple input_size,
                                   bint align_corners, tuple scales):
    cdef int dims = len(scales), status, dtype
    cdef int format = _format_of_gradient(grad, mode)
    cdef UpsampleShape s
    cdef TensorImpl source, result
    cdef const char* of
    cdef char* to
    _check_sizes(input_size, output_size, dims)
    _check_gradient(grad, input_size[:2] + output_size)
    if not has_float_kernels(grad.dtype):
        raise not_implemented(_loop_of_gradient(grad, mode, dims), grad.dtype)
    _fill_shape(&s, mode, input_size, output_size, align_corners, scales)
    source = _computed(grad)
    dtype = source.dtype
    result = zeros_tuple(input_size, dtype)
    if numel(result) > 0:
        of = data(source)
        to = data(result)
        if numel(source) >= RELEASE_GIL:
            with nogil:
                status = upsample_backward(dtype, &s, of, to)
        else:
            status = upsample_backward(dtype, &s, of, to)
        _check_status(status)
    return in_format(cast(result, grad.dtype), format)


cdef int _format_of_gradient(TensorImpl grad, UpsampleMode mode) noexcept:
    # the formats of the results of PyTorch's operators
    if mode == UPSAMPLE_CUBIC or mode != UPSAMPLE_LINEAR and ndim(grad) == 5:
        return CONTIGUOUS_FORMAT
    return suggest_memory_format(grad)


cdef inline TensorImpl _computed(TensorImpl t):
    """Return `t` contiguous and in a dtype that the kernels support."""
    return contiguous(cast(t, Float32) if is_reduced_floating(t.dtype) else t)


cdef int _check_status(int status) except -1:
    if status == UPSAMPLE_NO_MEMORY:
        raise MemoryError()
    return 0


# ---- by name

cdef TensorImpl upsample_nearest1d(TensorImpl self, tuple output_size, object scales):
    return _resample(self, UPSAMPLE_NEAREST, output_size, False, (scales,))


cdef TensorImpl upsample_nearest2d(TensorImpl self, tuple output_size, object scales_h, object scales_w):
    return _resample(self, UPSAMPLE_NEAREST, output_size, False, (scales_h, scales_w))


cdef TensorImpl upsample_nearest3d(TensorImpl self, tuple output_size, object scales_d, object scales_h,
                                   object scales_w):
    return _resample(self, UPSAMPLE_NEAREST, output_size, False, (scales_d, scales_h, scales_w))


cdef TensorImpl _upsample_nearest_exact1d(TensorImpl self, tuple output_size, object scales):
    return _resample(self, UPSAMPLE_NEAREST_EXACT, output_size, False, (scales,))


cdef TensorImpl _upsample_nearest_exact2d(TensorImpl self, tuple output_size, object scales_h,
                                          object scales_w):
    return _resample(self, UPSAMPLE_NEAREST_EXACT, output_size, False, (scales_h, scales_w))


cdef TensorImpl _upsample_nearest_exact3d(TensorImpl self, tuple output_size, object scales_d,
                                          object scales_h, object scales_w):
    return _resample(self, UPSAMPLE_NEAREST_EXACT, output_size, False, (scales_d, scales_h, scales_w))


cdef TensorImpl upsample_linear1d(TensorImpl self, tuple output_size, bint align_corners, object scales):
    return _resample(self, UPSAMPLE_LINEAR, output_size, align_corners, (scales,))


cdef TensorImpl upsample_bilinear2d(TensorImpl self, tuple output_size, bint align_corners,
                                    object scales_h, object scales_w):
    return _resample(self, UPSAMPLE_LINEAR, output_size, align_corners, (scales_h, scales_w))


cdef TensorImpl upsample_trilinear3d(TensorImpl self, tuple output_size, bint align_corners,
                                     object scales_d, object scales_h, object scales_w):
    return _resample(self, UPSAMPLE_LINEAR, output_size, align_corners, (scales_d, scales_h, scales_w))


cdef TensorImpl upsample_bicubic2d(TensorImpl self, tuple output_size, bint align_corners,
                                   object scales_h, object scales_w):
    return _resample(self, UPSAMPLE_CUBIC, output_size, align_corners, (scales_h, scales_w))


cdef TensorImpl upsample_nearest1d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST, output_size, input_size, False,
                              (scales,))


cdef TensorImpl upsample_nearest2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales_h, object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST, output_size, input_size, False,
                              (scales_h, scales_w))


cdef TensorImpl upsample_nearest3d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales_d, object scales_h, object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST, output_size, input_size, False,
                              (scales_d, scales_h, scales_w))


cdef TensorImpl _upsample_nearest_exact1d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST_EXACT, output_size, input_size, False,
                              (scales,))


cdef TensorImpl _upsample_nearest_exact2d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales_h, object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST_EXACT, output_size, input_size, False,
                              (scales_h, scales_w))


cdef TensorImpl _upsample_nearest_exact3d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales_d, object scales_h,
                                                   object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_NEAREST_EXACT, output_size, input_size, False,
                              (scales_d, scales_h, scales_w))


cdef TensorImpl upsample_linear1d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                           bint align_corners, object scales):
    return _resample_backward(grad_output, UPSAMPLE_LINEAR, output_size, input_size, align_corners,
                              (scales,))


cdef TensorImpl upsample_bilinear2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                             bint align_corners, object scales_h, object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_LINEAR, output_size, input_size, align_corners,
                              (scales_h, scales_w))


cdef TensorImpl upsample_trilinear3d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                              bint align_corners, object scales_d, object scales_h,
                                              object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_LINEAR, output_size, input_size, align_corners,
                              (scales_d, scales_h, scales_w))


cdef TensorImpl upsample_bicubic2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            bint align_corners, object scales_h, object scales_w):
    return _resample_backward(grad_output, UPSAMPLE_CUBIC, output_size, input_size, align_corners,
                              (scales_h, scales_w))
