"""Normalization: layer_norm, batch_norm and group_norm.

The kernels support row-major float32 and float64. 16-bit dtypes are computed in float32. Other layouts are copied
to row-major, and the result of a channels-last input is channels-last again.
"""

from minitorch.core.dtype cimport Float32, class_name, has_float_kernels, is_reduced_floating
from minitorch.core.tensor_impl cimport (
    CHANNELS_LAST, CHANNELS_LAST_3D, CONTIGUOUS, MAX_DIMS, TensorImpl, data, empty, ndim, numel,
    read_sizes, sizes, sizes_tuple)
from minitorch.kernels.nn.batch_norm cimport batch_norm_backward_kernel, batch_norm_kernel
from minitorch.kernels.nn.group_norm cimport group_norm_backward_kernel, group_norm_kernel
from minitorch.kernels.nn.layer_norm cimport layer_norm_backward_kernel, layer_norm_kernel
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport check_scalar_type, not_implemented, size_at
from minitorch.ops.common.copy cimport (
    CHANNELS_LAST_3D_FORMAT, CHANNELS_LAST_FORMAT, CONTIGUOUS_FORMAT, cast, contiguous, copy_)
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format
from minitorch.ops.nn.batch_statistics cimport with_reduced_statistics

cdef enum:
    RELEASE_GIL = 10000                 # elements from which a kernel runs without the GIL


# ---- operands

cdef inline TensorImpl _operand(TensorImpl t, int dtype):
    """Return `t` row-major and in this dtype; None stays None."""
    return None if t is None else contiguous(cast(t, dtype))


cdef inline char* _pointer(TensorImpl t) noexcept:
    return NULL if t is None else data(t)


cdef inline int _compute_dtype(int dtype) noexcept:
    return Float32 if is_reduced_floating(dtype) else dtype


cdef bint _check_mixed(TensorImpl input, tuple parameters) except -1:
    """Return whether the parameters are Float32 beside a 16-bit input; raise for another mixture."""
    cdef TensorImpl p
    if _statistics_dtype(input, parameters) == input.dtype:
        return False
    for item in parameters:
        p = item
        if p is not None and p.dtype != Float32:
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if not is_reduced_floating(input.dtype):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return True


cdef int _check_same(TensorImpl input, tuple parameters, str kernel) except -1:
    """Raise unless the kernels support the input's dtype and all parameters have it."""
    cdef TensorImpl p
    if not has_float_kernels(input.dtype):
        raise not_implemented(kernel, input.dtype)
    for item in parameters:
        p = item
        if p is not None and p.dtype != input.dtype:
            raise RuntimeError(f"expected scalar type {class_name(input.dtype)} but found "
                               f"{class_name(p.dtype)}")
    return 0


cdef int _check_dtypes(TensorImpl input, tuple parameters, str kernel) except -1:
    """Raise unless the parameters have the input's dtype, or are all Float32 for a 16-bit input."""
    if kernel == "batch_norm" and not has_float_kernels(input.dtype):
        raise not_implemented(kernel, input.dtype)
    if not _check_mixed(input, parameters):
        _check_same(input, parameters, kernel)
    return 0


cdef int _statistics_dtype(TensorImpl input, tuple parameters) except -1:
    """Return the dtype of the first parameter that is not None, or the dtype of the input."""
    for p in parameters:
        if p is not None:
            return (<TensorImpl>p).dtype
    return input.dtype


cdef int _checked(int failed) except -1:
    if failed:
        raise MemoryError("no scratch memory for a normalization")
    return 0


cdef int _check_elements(TensorImpl t, Py_ssize_t wanted, str name) except -1:
    """Raise unless `t` has the number of elements that the kernels read."""
    if t is None or numel(t) != wanted:
        raise RuntimeError(f"{name} should contain {wanted} elements not "
                           f"{0 if t is None else numel(t)}")
    return 0


# ---- layer_norm

cdef int _rows(TensorImpl input, tuple normalized_shape, TensorImpl weight, TensorImpl bias,
               Py_ssize_t* m, Py_ssize_t* n) except -1:
    """Check the arguments and return the position of the first normalized dimension.

    Stores the number of rows in `m` and their length in `n`.
    """
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, count = read_sizes(normalized_shape, shape), axis = ndim(input) - count
    if count == 0:
        raise RuntimeError("Expected normalized_shape to be at least 1-dimensional, i.e., "
                           "containing at "
                           "least one element, but got normalized_shape = []")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and sizes_tuple(t) != tuple(normalized_shape):
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(sizes_tuple(t))} and normalized_shape = {list(normalized_shape)}")
    if axis < 0 or sizes_tuple(input)[axis:] != tuple(normalized_shape):
        text = "".join(f", {size}" for size in normalized_shape)
        raise RuntimeError(f"Given normalized_shape={list(normalized_shape)}, expected input with "
                           "shape "
                           f"[*{text}], but got input of size{list(sizes_tuple(input))}")
    m[0] = n[0] = 1
    for d in range(axis):
        m[0] *= sizes(input)[d]
    for d in range(count):
        n[0] *= shape[d]
    return axis


cdef tuple native_layer_norm(TensorImpl input, tuple normalized_shape, TensorImpl weight,
                             TensorImpl bias, double eps):
    cdef Py_ssize_t m, n
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, failed, axis, dtype
    cdef int statistics
    cdef bint mixed = _check_mixed(input, (weight, bias))    # before the shapes, as in PyTorch
    cdef TensorImpl out, mean, rstd, x_, gamma_, beta_
    cdef char* x
    cdef char* gamma
    cdef char* beta
    cdef char* y
    cdef char* u
    cdef char* s
    axis = _rows(input, normalized_shape, weight, bias, &m, &n)
    if not mixed:
        _check_same(input, (weight, bias), "LayerNormKernelImpl")
    statistics = _statistics_dtype(input, (weight, bias))
    dtype = _compute_dtype(input.dtype)
    out = empty(ndim(input), sizes(input), dtype)
    for d in range(ndim(input)):
        shape[d] = sizes(input)[d] if d < axis else 1
    mean = empty(ndim(input), shape, dtype)
    rstd = empty(ndim(input), shape, dtype)
    if numel(input) or m:
        x_ = _operand(input, dtype)
        gamma_ = _operand(weight, dtype)
        beta_ = _operand(bias, dtype)
        x, gamma, beta = _pointer(x_), _pointer(gamma_), _pointer(beta_)
        y, u, s = data(out), data(mean), data(rstd)
        if numel(input) >= RELEASE_GIL:
            with nogil:
                failed = layer_norm_kernel(x, gamma, beta, y, u, s, m, n, eps, dtype)
        else:
            failed = layer_norm_kernel(x, gamma, beta, y, u, s, m, n, eps, dtype)
        _checked(failed)
    return cast(out, input.dtype), cast(mean, statistics), cast(rstd, statistics)


cdef tuple native_layer_norm_backward(TensorImpl grad_out, TensorImpl input, tuple normalized_shape,
                                      TensorImpl mean, TensorImpl rstd, TensorImpl weight,
                                      TensorImpl bias, tuple output_mask=(True, True, True)):
    cdef Py_ssize_t m, n
    cdef int failed, dtype = _compute_dtype(input.dtype)
    cdef TensorImpl dx = None, dgamma = None, dbeta = None
    cdef TensorImpl g_, x_, u_, s_, gamma_
    cdef char* g
    cdef char* x
    cdef char* u
    cdef char* s
    cdef char* gamma
    cdef char* a
    cdef char* b
    cdef char* c
    _rows(input, normalized_shape, weight, bias, &m, &n)
    _check_dtypes(input, (weight, bias), "LayerNormBackwardKernelImpl")
    check_scalar_type(grad_out, input.dtype)
    _check_elements(grad_out, numel(input), "grad_out")
    _check_elements(mean, m, "mean")
    _check_elements(rstd, m, "rstd")
    if output_mask[0]:
        dx = empty(ndim(input), sizes(input), dtype)
    if output_mask[1] and weight is not None:
        dgamma = zeros(ndim(weight), sizes(weight), dtype)
    if output_mask[2] and bias is not None:
        dbeta = zeros(ndim(bias), sizes(bias), dtype)
    if numel(input):
        g_, x_, gamma_ = _operand(grad_out, dtype), _operand(input, dtype), _operand(weight, dtype)
        u_, s_ = _operand(mean, dtype), _operand(rstd, dtype)
        g, x, gamma, u, s = data(g_), data(x_), _pointer(gamma_), data(u_), data(s_)
        a, b, c = _pointer(dx), _pointer(dgamma), _pointer(dbeta)
        if numel(input) >= RELEASE_GIL:
            with nogil:
                failed = layer_norm_backward_kernel(g, x, u, s, gamma, a, b, c, m, n, dtype)
        else:
            failed = layer_norm_backward_kernel(g, x, u, s, gamma, a, b, c, m, n, dtype)
        _checked(failed)
    return (_result(dx, input, CONTIGUOUS_FORMAT), _result(dgamma, weight, CONTIGUOUS_FORMAT),
            _result(dbeta, bias, CONTIGUOUS_FORMAT))


cdef TensorImpl _result(TensorImpl t, TensorImpl like, int memory_format):
    """Return `t` in the dtype of `like` and in this format; None stays None."""
    return None if t is None else in_format(cast(t, like.dtype), memory_format)


# ---- batch_norm

cdef int _check_channels(TensorImpl t, str name, Py_ssize_t channels) except -1:
    if t is not None and numel(t) != channels:
        raise RuntimeError(f"{name} should contain {channels} elements not {numel(t)}")
    return 0


cdef int _batch_format(TensorImpl input) noexcept:
    """Return the format of a result of batch_norm; unlike elsewhere, contiguous wins if both apply."""
    if input.geometry.flags & CONTIGUOUS:
        return CONTIGUOUS_FORMAT
    if input.geometry.flags & CHANNELS_LAST:
        return CHANNELS_LAST_FORMAT
    return CHANNELS_LAST_3D_FORMAT if input.geometry.flags & CHANNELS_LAST_3D else CONTIGUOUS_FORMAT


cdef int _channel_shape(TensorImpl input, Py_ssize_t* n, Py_ssize_t* c, Py_ssize_t* l) except -1:
    cdef int d
    size_at(input, 1)
    n[0] = sizes(input)[0]
    c[0] = sizes(input)[1]
    l[0] = 1
    for d in range(2, ndim(input)):
        l[0] *= sizes(input)[d]
    return 0


cdef tuple native_batch_norm(TensorImpl input, TensorImpl weight, TensorImpl bias,
                             TensorImpl running_mean, TensorImpl running_var, bint training,
                             double momentum, double eps):
    cdef Py_ssize_t n, c, l
    cdef int failed, dtype, statistics, memory_format = _batch_format(input)
    cdef TensorImpl out, mean = None, invstd = None, x_, gamma_, beta_, rm_, rv_
    cdef char* x
    cdef char* gamma
    cdef char* beta
    cdef char* rm
    cdef char* rv
    cdef char* y
    cdef char* u
    cdef char* s
    _channel_shape(input, &n, &c, &l)
    if not training:
        if running_mean is None:
            raise RuntimeError("running_mean must be defined in evaluation mode")
        if running_var is None:
            raise RuntimeError("running_var must be defined in evaluation mode")
    _check_channels(running_mean, "running_mean", c)
    _check_channels(running_var, "running_var", c)
    _check_channels(weight, "weight", c)
    _check_channels(bias, "bias", c)
    if training and numel(input) == 0:
        raise RuntimeError("input tensor must have at least one element, but got input_sizes = "
                           f"{list(sizes_tuple(input))}")
    _check_dtypes(input, (weight, bias, running_mean, running_var), "batch_norm")
    statistics = _statistics_dtype(input, (weight, bias, running_mean, running_var))
    dtype = _compute_dtype(input.dtype)
    x_, gamma_, beta_ = _operand(input, dtype), _operand(weight, dtype), _operand(bias, dtype)
    if training and is_reduced_floating(statistics):
        out, mean, invstd = with_reduced_statistics(x_, gamma_, beta_, running_mean, running_var,
                                                    momentum, eps, statistics)
        return _result(out, input, memory_format), mean, invstd
    out = empty(ndim(input), sizes(input), dtype)
    if training:
        mean = empty(1, &c, dtype)
        invstd = empty(1, &c, dtype)
    rm_, rv_ = _operand(running_mean, dtype), _operand(running_var, dtype)
    x, gamma, beta = data(x_), _pointer(gamma_), _pointer(beta_)
    rm, rv = _pointer(rm_), _pointer(rv_)
    y, u, s = data(out), _pointer(mean), _pointer(invstd)
    if numel(input) >= RELEASE_GIL:
        with nogil:
            failed = batch_norm_kernel(x, gamma, beta, rm, rv, training, momentum, eps, y, u, s, n,
                                       c,
                                       l, dtype)
    else:
        failed = batch_norm_kernel(x, gamma, beta, rm, rv, training, momentum, eps, y, u, s, n, c,
                                   l,
                                   dtype)
    _checked(failed)
    if training:
        if running_mean is not None and rm_ is not running_mean:
            copy_(running_mean, rm_)
        if running_var is not None and rv_ is not running_var:
            copy_(running_var, rv_)
    else:
        c = 0
        mean = empty(1, &c, dtype)
        invstd = empty(1, &c, dtype)
    return _result(out, input, memory_format), cast(mean, statistics), cast(invstd, statistics)


cdef tuple native_batch_norm_backward(TensorImpl grad_out, TensorImpl input, TensorImpl weight,
                                      TensorImpl running_mean, TensorImpl running_var,
                                      TensorImpl save_mean, TensorImpl save_invstd, bint train,
                                      double eps, tuple output_mask=(True, True, True)):
    cdef Py_ssize_t n, c, l
    cdef int failed, dtype = _compute_dtype(input.dtype)
    cdef TensorImpl dx = None, dgamma = None, dbeta = None
    cdef TensorImpl g_, x_, gamma_, u_, s_, rv_, like
    cdef char* g
    cdef char* x
    cdef char* gamma
    cdef char* u
    cdef char* s
    cdef char* rv
    cdef char* p
    cdef char* q
    cdef char* r
    _channel_shape(input, &n, &c, &l)
    _check_dtypes(input, (weight,), "batch_norm_backward_cpu")
    check_scalar_type(grad_out, input.dtype)
    _check_elements(grad_out, numel(input), "grad_out")
    _check_channels(weight, "weight", c)
    if train:
        _check_elements(save_mean, c, "save_mean")
        _check_elements(save_invstd, c, "save_invstd")
    else:
        _check_elements(running_mean, c, "running_mean")
        _check_elements(running_var, c, "running_var")
    like = input if weight is None else weight
    if output_mask[0]:
        dx = empty(ndim(input), sizes(input), dtype)
    if output_mask[1]:
        dgamma = zeros(1, &c, dtype)
    if output_mask[2]:
        dbeta = zeros(1, &c, dtype)
    if numel(input):
        g_, x_, gamma_ = _operand(grad_out, dtype), _operand(input, dtype), _operand(weight, dtype)
        u_ = _operand(save_mean if train else running_mean, dtype)
        s_ = _operand(save_invstd, dtype) if train else None
        rv_ = None if train else _operand(running_var, dtype)
        g, x, gamma, u = data(g_), data(x_), _pointer(gamma_), data(u_)
        s, rv = _pointer(s_), _pointer(rv_)
        p, q, r = _pointer(dx), _pointer(dgamma), _pointer(dbeta)
        if numel(input) >= RELEASE_GIL:
            with nogil:
                failed = batch_norm_backward_kernel(g, x, gamma, u, s, rv, train, eps, p, q, r, n,
                                                    c, l,
                                                    dtype)
        else:
            failed = batch_norm_backward_kernel(g, x, gamma, u, s, rv, train, eps, p, q, r, n, c, l,
                                                dtype)
        _checked(failed)
    return (_result(dx, input, _batch_format(input)), _result(dgamma, like, CONTIGUOUS_FORMAT),
            _result(dbeta, like, CONTIGUOUS_FORMAT))


# ---- group_norm

cdef int _check_groups(TensorImpl input, TensorImpl weight, TensorImpl bias, Py_ssize_t N,
                       Py_ssize_t C, Py_ssize_t HxW, Py_ssize_t group) except -1:
    if group <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {group}")
    if C % group:
        raise RuntimeError("Expected number of channels in input to be divisible by num_groups, "
                           "but got "
                           f"input of shape {list(sizes_tuple(input))} and num_groups={group}")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and (ndim(t) != 1 or numel(t) != C):
            shown = t if weight is None else weight         # PyTorch's message shows this shape
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                "but "
                f"got {name} of shape {list(sizes_tuple(shown))} and input of shape "
                f"{list(sizes_tuple(input))}")
    if numel(input) != N * C * HxW:
        raise RuntimeError("Expected X.numel() == N * C * HxW to be true, but got false.  (Could "
                           "this "
                           "error message be improved?  If so, please report an enhancement "
                           "request to "
                           "PyTorch.)")
    return 0


cdef tuple native_group_norm(TensorImpl input, TensorImpl weight, TensorImpl bias, Py_ssize_t N,
                             Py_ssize_t C, Py_ssize_t HxW, Py_ssize_t group, double eps):
    cdef Py_ssize_t[2] shape
    cdef int failed, dtype, statistics
    cdef TensorImpl out, mean, rstd, x_, gamma_, beta_
    cdef char* x
    cdef char* gamma
    cdef char* beta
    cdef char* y
    cdef char* u
    cdef char* s
    _check_groups(input, weight, bias, N, C, HxW, group)
    _check_dtypes(input, (weight, bias), "GroupNormKernelImpl")
    statistics = _statistics_dtype(input, (weight, bias))
    dtype = _compute_dtype(input.dtype)
    out = empty(ndim(input), sizes(input), dtype)
    shape[0] = N
    shape[1] = group
    mean = zeros(2, shape, dtype)
    rstd = zeros(2, shape, dtype)
    if numel(input):
        x_, gamma_, beta_ = _operand(input, dtype), _operand(weight, dtype), _operand(bias, dtype)
        x, gamma, beta = data(x_), _pointer(gamma_), _pointer(beta_)
        y, u, s = data(out), data(mean), data(rstd)
        if numel(input) >= RELEASE_GIL:
            with nogil:
                failed = group_norm_kernel(x, gamma, beta, y, u, s, N, C, HxW, group, eps, dtype)
        else:
            failed = group_norm_kernel(x, gamma, beta, y, u, s, N, C, HxW, group, eps, dtype)
        _checked(failed)
    return (_result(out, input, suggest_memory_format(input)), cast(mean, statistics),
            cast(rstd, statistics))


cdef tuple native_group_norm_backward(TensorImpl grad_out, TensorImpl input, TensorImpl mean,
                                      TensorImpl rstd, TensorImpl weight, Py_ssize_t N,
                                      Py_ssize_t C,
                                      Py_ssize_t HxW, Py_ssize_t group,
                                      tuple output_mask=(True, True, True)):
    cdef int failed, dtype = _compute_dtype(input.dtype)
    cdef TensorImpl dx = None, dgamma = None, dbeta = None, like
    cdef TensorImpl g_, x_, u_, s_, gamma_
    cdef char* g
    cdef char* x
    cdef char* u
    cdef char* s
    cdef char* gamma
    cdef char* p
    cdef char* q
    cdef char* r
    if grad_out.dtype != input.dtype:
        raise RuntimeError("Expected scalar types of X and dY are same.")
    _check_groups(input, weight, None, N, C, HxW, group)
    _check_dtypes(input, (weight,), "GroupNormBackwardKernelImpl")
    _check_elements(grad_out, numel(input), "grad_out")
    _check_elements(mean, N * group, "mean")
    _check_elements(rstd, N * group, "rstd")
    like = input if weight is None else weight
    if output_mask[0]:
        dx = empty(ndim(input), sizes(input), dtype)
    if output_mask[1]:
        dgamma = zeros(1, &C, dtype)
    if output_mask[2]:
        dbeta = zeros(1, &C, dtype)
    if numel(input):
        g_, x_, gamma_ = _operand(grad_out, dtype), _operand(input, dtype), _operand(weight, dtype)
        u_, s_ = _operand(mean, dtype), _operand(rstd, dtype)
        g, x, gamma, u, s = data(g_), data(x_), _pointer(gamma_), data(u_), data(s_)
        p, q, r = _pointer(dx), _pointer(dgamma), _pointer(dbeta)
        if numel(input) >= RELEASE_GIL:
            with nogil:
                failed = group_norm_backward_kernel(g, x, u, s, gamma, p, q, r, N, C, HxW, group,
                                                    dtype)
        else:
            failed = group_norm_backward_kernel(g, x, u, s, gamma, p, q, r, N, C, HxW, group, dtype)
        _checked(failed)
    return (_result(dx, input, suggest_memory_format(input)), _result(dgamma, like, CONTIGUOUS_FORMAT),
            _result(dbeta, like, CONTIGUOUS_FORMAT))
