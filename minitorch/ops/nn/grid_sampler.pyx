"""Sampling at grid positions: grid_sample and affine_grid."""

from libc.string cimport memset

from minitorch.core.dtype cimport Float32, Int64, class_name, has_float_kernels, is_reduced_floating
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty_tuple, ndim, numel, sizes, sizes_tuple, wrap_dim)
from minitorch.kernels.nn.grid_sample cimport (
    GRID_CUBIC, GridInterpolation, GridPadding, GridShape, grid_offsets, grid_sample,
    grid_sample_backward, grid_taps, grid_weights)
from minitorch.ops.common.bulk cimport zeros_tuple
from minitorch.ops.common.checks cimport not_implemented
from minitorch.ops.common.copy cimport cast, contiguous, copy_, fill_
from minitorch.ops.creation.factory cimport linspace
from minitorch.ops.elementwise.scalar_forms cimport div_scalar, mul_scalar
from minitorch.ops.linalg.linear cimport bmm
from minitorch.ops.shape.slices cimport narrow, select
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand, reshape, view

cdef enum:
    RELEASE_GIL = 2000                 # points times channels above which the GIL is released


# ---- sampling

cdef int _fill_shape(GridShape* s, TensorImpl grid, tuple image_sizes, Py_ssize_t interpolation,
                     Py_ssize_t padding, bint align_corners) except -1:
    cdef int d
    s.dims = len(image_sizes) - 2
    s.interpolation = <GridInterpolation>interpolation
    s.padding = <GridPadding>padding
    s.align_corners = align_corners
    s.batch = image_sizes[0]
    s.channels = image_sizes[1]
    for d in range(3):
        s.in_size[d] = image_sizes[2 + d] if d < s.dims else 1
    s.points = 1
    for d in range(1, ndim(grid) - 1):
        s.points *= sizes(grid)[d]
    return 0


cdef int _check(TensorImpl input, TensorImpl grid, int dims, Py_ssize_t interpolation, str kernel) except -1:
    cdef str shapes = (f"but got input with sizes {list(sizes_tuple(input))} and grid with sizes "
                       f"{list(sizes_tuple(grid))}")
    cdef int d
    if ndim(input) == 0 or ndim(grid) == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if sizes(input)[0] != sizes(grid)[0]:
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, {shapes}")
    if sizes(grid)[ndim(grid) - 1] != ndim(input) - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {ndim(input) - 2} in last dimension, but "
            f"got grid with sizes {list(sizes_tuple(grid))}")
    for d in range(2, ndim(input)):
        if sizes(input)[d] <= 0:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input "
                f"has sizes {list(sizes_tuple(input))} with dimension {d} being empty")
    if ndim(input) != dims + 2 or ndim(grid) != dims + 2:
        raise RuntimeError(f"grid_sampler(): expected {dims + 2}D input and grid with same number "
                           f"of dimensions, {shapes}")
    if dims == 3 and interpolation == GRID_CUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if not 0 <= interpolation <= 2:
        raise RuntimeError(f"grid_sampler(): unknown interpolation mode {interpolation}")
    if not has_float_kernels(input.dtype):
        raise not_implemented(kernel, input.dtype)
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {class_name(input.dtype)} but found "
                           f"{class_name(grid.dtype)}")
    return 0


cdef inline TensorImpl _computed(TensorImpl t):
    """Return `t` contiguous and in a dtype that the kernels support."""
    return contiguous(cast(t, Float32) if is_reduced_floating(t.dtype) else t)


cdef TensorImpl _sampled(TensorImpl input, TensorImpl grid, int dims, Py_ssize_t interpolation,
                         Py_ssize_t padding, bint align_corners):
    cdef GridShape s
    cdef TensorImpl image, at, result
    cdef char* to
    cdef const char* of
    cdef const char* where
    _check(input, grid, dims, interpolation,
           "grid_sampler_2d_cpu_kernel_impl" if dims == 2 else "grid_sampler3d_cpu")
    if not 0 <= padding <= 2:
        raise RuntimeError(f"grid_sampler(): unknown padding mode {padding}")
    image, at = _computed(input), _computed(grid)
    _fill_shape(&s, grid, sizes_tuple(input), interpolation, padding, align_corners)
    result = empty_tuple(sizes_tuple(input)[:2] + sizes_tuple(grid)[1:dims + 1], image.dtype)
    if numel(result):
        to, of, where = data(result), data(image), data(at)
        if numel(result) >= RELEASE_GIL:
            with nogil:
                grid_sample(image.dtype, &s, of, where, to)
        else:
            grid_sample(image.dtype, &s, of, where, to)
    return cast(result, input.dtype)


cdef TensorImpl grid_sampler_2d(TensorImpl input, TensorImpl grid, Py_ssize_t interpolation_mode,
                                Py_ssize_t padding_mode, bint align_corners):
    return _sampled(input, grid, 2, interpolation_mode, padding_mode, align_corners)


cdef TensorImpl grid_sampler_3d(TensorImpl input, TensorImpl grid, Py_ssize_t interpolation_mode,
                                Py_ssize_t padding_mode, bint align_corners):
    return _sampled(input, grid, 3, interpolation_mode, padding_mode, align_corners)


cdef tuple grid_sampler_2d_backward(TensorImpl grad_output, TensorImpl input, TensorImpl grid,
                                    Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                    bint align_corners, object output_mask):
    return _sampled_backward(grad_output, input, grid, 2, interpolation_mode, padding_mode,
                             align_corners, output_mask)


cdef tuple grid_sampler_3d_backward(TensorImpl grad_output, TensorImpl input, TensorImpl grid,
                                    Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                    bint align_corners, object output_mask):
    return _sampled_backward(grad_output, input, grid, 3, interpolation_mode, padding_mode,
                             align_corners, output_mask)


cdef TensorImpl _slope_of(TensorImpl slope, TensorImpl input, TensorImpl grid, int dims):
    """Return the part of the gradient that the points use; PyTorch ignores elements beyond it."""
    cdef tuple expected = sizes_tuple(input)[:2] + sizes_tuple(grid)[1:dims + 1]
    cdef int n = ndim(slope), d
    if slope.dtype != input.dtype:
        raise RuntimeError(f"expected scalar type {class_name(input.dtype)} but found "
                           f"{class_name(slope.dtype)}")
    if dims == 3 and n == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if dims == 3 and n < 5:
        wrap_dim(n, n)          # raises the IndexError for a dimension that is missing
    if dims == 2 and numel(slope) == 0:
        return zeros_tuple(expected, slope.dtype)
    if dims == 2 and n != 4:
        raise RuntimeError(f"TensorAccessor expected 4 dims but tensor has {n}")
    while ndim(slope) > dims + 2:
        slope = select(slope, dims + 2, 0)
    for d in range(dims + 2):
        if sizes(slope)[d] < expected[d]:
            raise RuntimeError(f"grid_sampler_{dims}d_backward(): expected grad_output of sizes {list(expected)}, "
                               f"but got {list(sizes_tuple(slope))}")
        if sizes(slope)[d] > expected[d]:
            slope = narrow(slope, d, 0, expected[d])
    return slope


cdef tuple _sampled_backward(TensorImpl grad_output, TensorImpl input, TensorImpl grid, int dims,
                             Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                             bint align_corners, object output_mask):
    _check(input, grid, dims, interpolation_mode,
           "grid_sampler_2d_backward_cpu_kernel_impl" if dims == 2 else "grid_sampler_3d_backward_cpu")
    cdef GridShape s
    cdef TensorImpl slope = _computed(_slope_of(grad_output, input, grid, dims))
    cdef TensorImpl image = _computed(input), at = _computed(grid)
    cdef TensorImpl grad_input = None, grad_grid = None
    cdef char* to_input = NULL
    cdef char* to_grid = NULL
    cdef const char* of_slope = data(slope)
    cdef const char* of_image = data(image)
    cdef const char* where = data(at)
    if not 0 <= padding_mode <= 2:
        raise RuntimeError(f"grid_sampler(): unknown padding mode {padding_mode}")
    _fill_shape(&s, grid, sizes_tuple(input), interpolation_mode, padding_mode, align_corners)
    if output_mask[0]:
        grad_input = zeros_tuple(sizes_tuple(input), image.dtype)
        to_input = data(grad_input)
    if output_mask[1]:
        grad_grid = zeros_tuple(sizes_tuple(grid), image.dtype)
        to_grid = data(grad_grid)
    if numel(slope):
        with nogil:
            grid_sample_backward(image.dtype, &s, of_slope, of_image, where, to_input, to_grid)
    return (None if grad_input is None else cast(grad_input, input.dtype),
            None if grad_grid is None else cast(grad_grid, grid.dtype))


cdef TensorImpl grid_sampler_weights(TensorImpl grid, tuple image_sizes, tuple orders,
                                     Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                     bint align_corners):
    cdef GridShape s
    cdef int[3] order
    cdef TensorImpl at = _computed(grid), result
    cdef int d
    _fill_shape(&s, grid, image_sizes, interpolation_mode, padding_mode, align_corners)
    memset(order, 0, sizeof(order))
    for d in range(s.dims):
        order[d] = orders[d]
    result = empty_tuple((s.batch, s.points, grid_taps(&s)), at.dtype)
    grid_weights(at.dtype, &s, order, data(at), data(result))
    return cast(result, grid.dtype)


cdef TensorImpl grid_sampler_offsets(TensorImpl grid, tuple image_sizes,
                                     Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                     bint align_corners):
    cdef GridShape s
    cdef TensorImpl at = _computed(grid), result
    _fill_shape(&s, grid, image_sizes, interpolation_mode, padding_mode, align_corners)
    result = empty_tuple((s.batch, s.points, grid_taps(&s)), Int64)
    grid_offsets(at.dtype, &s, data(at), <long long*>data(result))
    return result


# ---- grids

cdef TensorImpl _base_grid(int dtype, tuple size, bint align_corners):
    """Return the coordinates of every pixel, x first, followed by a one: (1, points, dims + 1)."""
    cdef int dims = len(size) - 2, d
    cdef TensorImpl result = empty_tuple(size[2:] + (dims + 1,), dtype), line
    cdef Py_ssize_t n
    cdef list shape
    for d in range(dims):
        n = size[2 + d]
        if n <= 1:
            line = fill_(empty_tuple((n,), dtype), 0)
        else:
            line = linspace(-1, 1, n, dtype)
            if not align_corners:
                line = div_scalar(mul_scalar(line, n - 1), n)
        shape = [1] * dims
        shape[d] = n
        line = expand(view(line, tuple(shape)), size[2:])
        copy_(select(result, dims, dims - 1 - d), line)
    fill_(select(result, dims, dims), 1)
    return view(result, (1, -1 if numel(result) else 0, dims + 1))


cdef TensorImpl affine_grid_generator(TensorImpl theta, tuple size, bint align_corners):
    cdef TensorImpl base
    if len(size) != 4 and len(size) != 5:
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    base = _base_grid(theta.dtype, size, align_corners)
    base = expand(base, (size[0],) + sizes_tuple(base)[1:])
    return view(bmm(base, transpose(theta, 1, 2)), (size[0],) + size[2:] + (len(size) - 2,))


cdef TensorImpl affine_grid_generator_backward(TensorImpl grad_output, tuple size, bint align_corners):
    cdef TensorImpl base = _base_grid(grad_output.dtype, size, align_corners), flat
    base = expand(base, (size[0],) + sizes_tuple(base)[1:])
    flat = reshape(grad_output, (size[0], sizes(base)[1], len(size) - 2))
    return transpose(bmm(transpose(base, 1, 2), flat), 1, 2)
