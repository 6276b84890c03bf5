"""Convolution: convolution and convolution_backward.

A transposed convolution is the derivative of a convolution with respect to its input (kernels/nn/convolution.pxd).
So the same three kernel calls serve both, with the roles of input and output exchanged.

Kernels compute in float32 and float64. 16-bit dtypes are computed in float32, integers in float64 (exact up to
2**53), and complex numbers by their parts.
"""

from cpython.pyport cimport PY_SSIZE_T_MAX

from minitorch.core.dtype cimport (
    Bool, Complex32, Complex64, Float16, Float32, Float64, Int16, Int32, Int64, Int8, UInt8, c_name, class_name,
    has_float_kernels, is_complex, is_floating, is_reduced_floating, to_real)
from minitorch.core.overflow cimport add_overflows, mul_overflows
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, ndim, numel, sizes, sizes_tuple)
from minitorch.kernels.nn.conv_shape cimport CONV_NO_MEMORY, CONV_OK, ConvShape
from minitorch.kernels.nn.convolution cimport (
    conv_backward_input, conv_backward_weight, conv_forward,
)
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.checks cimport (
    FLOAT8, WIDE_UNSIGNED, check_scalar_type, not_implemented, reject_dtypes, tensor_type)
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, cast, contiguous, copy_
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.elementwise.binary cimport add, sub
from minitorch.ops.nn.windows cimport extent, padded
from minitorch.ops.reduction.reduction cimport sum
from minitorch.ops.shape cimport complex_parts
from minitorch.ops.shape.views cimport view

from minitorch.core.error_pages import explained

cdef enum:
    RELEASE_GIL = 20000                 # multiplications from which a kernel runs without the GIL


# ---- arguments

cdef struct Arguments:
    int dims                            # number of spatial dimensions
    Py_ssize_t stride[MAX_DIMS]
    Py_ssize_t padding[MAX_DIMS]
    Py_ssize_t dilation[MAX_DIMS]
    Py_ssize_t output_padding[MAX_DIMS]


cdef int _expand(tuple values, str name, int dims, Py_ssize_t* out) except -1:
    cdef int d, n = len(values)
    if n != 1 and n != dims:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the "
            f"convolution dimensions, but got {name}={list(values)}")
    for d in range(dims):
        out[d] = values[d if n > 1 else 0]
    return 0


cdef int _read(TensorImpl weight, tuple stride, tuple padding, tuple dilation, tuple output_padding,
               Py_ssize_t groups, bint transposed, Arguments* a) except -1:
    cdef int d
    a.dims = ndim(weight) - 2
    if a.dims <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    _expand(stride, "stride", a.dims, a.stride)
    _expand(padding, "padding", a.dims, a.padding)
    _expand(dilation, "dilation", a.dims, a.dilation)
    _expand(output_padding, "output_padding", a.dims, a.output_padding)
    if a.dims > 3:
        raise RuntimeError(f"convolution over {a.dims} spatial dimensions is not supported")
    for name, least, values in (
            ("negative padding", 0, [a.padding[d] for d in range(a.dims)]),
            ("negative output_padding", 0, [a.output_padding[d] for d in range(a.dims)]),
            ("non-positive stride", 1, [a.stride[d] for d in range(a.dims)])):
        if min(values) < least:
            raise RuntimeError(f"{name} is not supported")
    _check_padding(a)
    _check_dilation(a, transposed)
    return 0


cdef int _check_padding(const Arguments* a) except -1:
    cdef int d
    for d in range(a.dims):
        if a.padding[d] > PY_SSIZE_T_MAX // 2:
            raise RuntimeError(f"Given padding={a.padding[d]} at dimension {d} , expected padding to be at most "
                               f"{PY_SSIZE_T_MAX // 2}")
    return 0


cdef int _check_dilation(const Arguments* a, bint transposed) except -1:
    cdef int d
    cdef list dilation = [a.dilation[d] for d in range(a.dims)]
    if min(dilation) > 0:
        return 0
    if min(dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")
    if a.dims == 1:
        dilation = [1, *dilation]  # PyTorch computes it as an image of height 1
    if not transposed:
        raise RuntimeError(f"dilation should be greater than zero, but got {dilation}")
    sides = ("depth", "height", "width")[3 - len(dilation):]
    told = ", ".join(
        [f"dilation_{side}: {n}" for side, n in zip(sides, dilation, strict=True)])
    raise RuntimeError(f"dilation should be greater than zero, but got {told}")


cdef int _check_kernel(TensorImpl weight, int dims) except -1:
    cdef list kernel = list(sizes_tuple(weight)[2:])
    if min(kernel) > 0:
        return 0
    if dims == 3:
        raise RuntimeError("kernel size should be greater than zero, but got: "
                           f"{' x '.join(map(str, kernel))} (TxHxW)")
    if dims == 1:
        kernel = [1, *kernel]
    raise RuntimeError("kernel size should be greater than zero, but got "
                       f"kernel_height: {kernel[0]} kernel_width: {kernel[1]}")


cdef int _check_dilated(const Arguments* a, int dtype) except -1:
    """Raise for the small integer dtypes that PyTorch's kernel for dilated windows does not support."""
    cdef int d
    for d in range(a.dims):
        if a.dilation[d] > 1 and dtype in (Int8, UInt8, Int16, Int32):
            raise not_implemented("slow_conv_dilated<>", dtype)
    return 0


cdef int _check_channels(TensorImpl input, TensorImpl weight, TensorImpl bias, bint transposed,
                         Py_ssize_t groups) except -1:
    cdef tuple w = sizes_tuple(weight), x = sizes_tuple(input)
    cdef int dims = len(w)
    cdef str head = "transposed=1" if transposed else f"groups={groups}"
    cdef Py_ssize_t wanted, outputs
    if len(x) != dims:
        raise RuntimeError(f"Expected {dims}-dimensional input for {dims}-dimensional weight "
                           f"{list(w)}, "
                           f"but got {len(x)}-dimensional input of size {list(x)} instead")
    if w[0] < groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be at least {groups} at "
                           "dimension "
                           f"0, but got weight of size {list(w)} instead")
    if w[0] % groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be divisible by {groups} at "
                           f"dimension 0, but got weight of size [{list(w)}] instead")
    wanted = w[0] if transposed else w[1] * groups
    if x[1] != wanted:
        raise explained(RuntimeError(
            f"Given {head}, weight of size {list(w)}, expected input{list(x)} to have "
            f"{wanted} channels, but got {x[1]} channels instead"), "conv-channels")
    outputs = w[1] * groups if transposed else w[0]
    if bias is not None and (ndim(bias) != 1 or sizes(bias)[0] != outputs):
        raise RuntimeError(
            f"Given {'transposed=1, ' if transposed else ''}weight of size {list(w)}, expected "
            "bias to be "
            f"1-dimensional with {outputs} elements, but got bias of size "
            f"{list(sizes_tuple(bias))} instead")
    return 0


cdef str _by(list values):
    return "(" + " x ".join(map(str, values)) + ")"


cdef int _output_size(TensorImpl input, TensorImpl weight, bint transposed, const Arguments* a,
                      Py_ssize_t* out) except -1:
    cdef int d
    cdef Py_ssize_t n, span
    cdef bint fits = True
    for d in range(a.dims):
        n = sizes(input)[d + 2]
        span = extent(sizes(weight)[d + 2], a.dilation[d])
        if transposed:
            if (mul_overflows(n - 1, a.stride[d], &n) or add_overflows(n, -2 * a.padding[d], &n)
                    or add_overflows(n, span, &n) or add_overflows(n, a.output_padding[d], &n)):
                raise RuntimeError(f"the output of a transposed convolution with a stride of {a.stride[d]} and "
                                   f"an output_padding of {a.output_padding[d]} is too large")
            out[d] = n
            fits = fits and n > 0
        else:
            n = padded(n, a.padding[d])
            fits = fits and n >= span
            out[d] = (n - span) // a.stride[d] + 1
    if not fits and not transposed:
        given = [sizes(input)[d + 2] + 2 * a.padding[d] for d in range(a.dims)]
        kernel = [a.dilation[d] * (sizes(weight)[d + 2] - 1) + 1 for d in range(a.dims)]
        raise RuntimeError(
            f"Calculated padded input size per channel: {_by(given)}. Kernel size: {_by(kernel)}. "
            "Kernel "
            "size can't be greater than actual input size")
    _check_elements(input, a.dims)
    if not fits:
        have, found = [sizes(input)[d + 2] for d in range(a.dims)], [out[d] for d in range(a.dims)]
        if a.dims == 1:
            have, found = [1, *have], [1, *found]
        raise RuntimeError(
            f"Given input size per channel: {_by(have)}. Calculated output size per channel: "
            f"{_by(found)}. Output size is too small")
    if transposed:
        _check_output_padding(a)
    return 0


cdef int _check_elements(TensorImpl input, int dims) except -1:
    """Raise for images without elements; an empty batch or zero channels are allowed."""
    cdef list shape = list(sizes_tuple(input))
    if numel(input) != 0 or 0 in shape[:2]:
        return 0
    if dims == 1:
        shape.insert(2, 1)                  # PyTorch computes one dimension as two with a height of 1
    raise RuntimeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {shape}")


cdef inline Py_ssize_t _filters(TensorImpl weight, bint transposed, Py_ssize_t groups) noexcept:
    return sizes(weight)[1] * groups if transposed else sizes(weight)[0]


cdef inline Py_ssize_t _out_channels(TensorImpl input, TensorImpl weight, bint transposed,
                                     Py_ssize_t groups) noexcept:
    # as in PyTorch, an input without channels gives an output without channels, whatever the weight's sizes
    return 0 if sizes(input)[1] == 0 else _filters(weight, transposed, groups)


cdef int _check_output_padding(const Arguments* a) except -1:
    cdef int d
    for d in range(a.dims):
        if a.output_padding[d] >= a.stride[d] and a.output_padding[d] >= a.dilation[d]:
            break
    else:
        return 0
    names = ["depth", "height", "width"][-max(a.dims, 2):]
    missing = len(names) - a.dims           # PyTorch computes one dimension as two with a height of 1
    text = ""
    for what, one, values in (("output_padding", 0, [a.output_padding[d] for d in range(a.dims)]),
                              ("stride", 1, [a.stride[d] for d in range(a.dims)]),
                              ("dilation", 1, [a.dilation[d] for d in range(a.dims)])):
        for name, value in zip(names, [one] * missing + values):
            text += f" {what}_{name}: {value}"
    raise RuntimeError("output padding must be smaller than either stride or dilation, but "
                       f"got{text}")


cdef int _check_dtypes(TensorImpl input, TensorImpl weight, bint transposed, int dims,
                       str derivative, TensorImpl bias=None) except -1:
    """Raise the errors of PyTorch's kernels for unsupported dtypes; a bias is cast."""
    cdef int x = input.dtype, w = weight.dtype
    cdef str kernel = f"slow_conv{'_transpose' if transposed else ''}{max(dims, 2)}d"
    reject_dtypes(x, WIDE_UNSIGNED | FLOAT8, f"{kernel}_{'out_' if transposed else ''}cpu")
    if is_complex(x) and not is_complex(w):
        raise RuntimeError(f"Input type ({tensor_type(x)}) and weight type ({tensor_type(w)}) "
                           "should be the same")
    if derivative and not is_floating(x) and not is_complex(x):
        raise not_implemented(f"{kernel}_cpu_{derivative}", x)
    if transposed:
        if not is_floating(x) and not is_complex(x) and x != Int64:
            raise not_implemented(f"{kernel}_out_cpu", x)
    elif x == Bool:
        raise not_implemented(f"{kernel}_cpu" if dims < 3 else "compute_columns3d", x)
    if x == Float32 and w != x:
        raise RuntimeError(
            f"Input type ({tensor_type(x)}) and weight type ({tensor_type(w)}) should be the same "
            "or input should be a MKLDNN tensor and weight is a dense tensor")
    check_scalar_type(weight, x)
    if bias is not None and bias.dtype != x:
        if x == Float32:
            raise RuntimeError(f"Input type (float) and bias type ({c_name(bias.dtype)}) should "
                               "be the same")
        if transposed and dims == 3:
            check_scalar_type(bias, x)
        if transposed:
            check_can_cast(bias.dtype, x)
    return 0


cdef int _check_backward_dtypes(TensorImpl grad, TensorImpl input, TensorImpl weight,
                                bint transposed, int dims) except -1:
    if not transposed:
        _check_dtypes(input, weight, False, dims, "grad_input")
        return check_scalar_type(grad, input.dtype)
    if not is_floating(grad.dtype) and not is_complex(grad.dtype):
        raise not_implemented(f"slow_conv_transpose{max(dims, 2)}d_backward_out_cpu", grad.dtype)
    check_scalar_type(input, grad.dtype)
    return check_scalar_type(weight, grad.dtype)


# ---- the kernels' view

cdef void _shape(TensorImpl input, TensorImpl weight, bint transposed, const Arguments* a,
                 const Py_ssize_t* out_size, Py_ssize_t groups, ConvShape* s) noexcept:
    """Fill `s` for this convolution, or for the convolution that a transposed one is the derivative of."""
    cdef int d, k
    s.batch = sizes(input)[0]
    s.groups = groups
    s.out_channels = sizes(weight)[0]
    s.in_channels = sizes(weight)[1] * groups
    for k in range(3):
        d = k - (3 - a.dims)
        if d < 0:
            s.in_size[k] = s.out_size[k] = s.kernel[k] = s.stride[k] = s.dilation[k] = 1
            s.padding[k] = 0
            continue
        s.kernel[k] = sizes(weight)[d + 2]
        s.stride[k], s.padding[k], s.dilation[k] = a.stride[d], a.padding[d], a.dilation[d]
        s.in_size[k] = out_size[d] if transposed else sizes(input)[d + 2]
        s.out_size[k] = sizes(input)[d + 2] if transposed else out_size[d]


cdef inline double _work(const ConvShape* s) noexcept:
    return (<double>s.batch * s.out_channels * s.in_channels / s.groups
            * s.out_size[0] * s.out_size[1] * s.out_size[2]
            * s.kernel[0] * s.kernel[1] * s.kernel[2])


cdef int _checked(int status, int dtype) except -1:
    if status == CONV_OK:
        return 0
    if status == CONV_NO_MEMORY:
        raise MemoryError("no scratch memory for a convolution")
    raise RuntimeError(f"convolution: a size beyond 2**31 or the dtype {class_name(dtype)}")


cdef int _forward(const ConvShape* s, TensorImpl x, TensorImpl w, TensorImpl b,
                  TensorImpl y) except -1:
    """Store the convolution of x in y."""
    cdef char* p = data(x)
    cdef char* q = data(w)
    cdef char* r = NULL if b is None else data(b)
    cdef char* out = data(y)
    cdef int status, dtype = x.dtype
    if _work(s) >= RELEASE_GIL:
        with nogil:
            status = conv_forward(dtype, s, p, q, r, out)
    else:
        status = conv_forward(dtype, s, p, q, r, out)
    return _checked(status, dtype)


cdef int _backward_input(const ConvShape* s, TensorImpl g, TensorImpl w, TensorImpl b,
                         TensorImpl x) except -1:
    """Store the gradient with respect to the convolution's input in x."""
    cdef char* p = data(g)
    cdef char* q = data(w)
    cdef char* r = NULL if b is None else data(b)
    cdef char* out = data(x)
    cdef int status, dtype = g.dtype
    if _work(s) >= RELEASE_GIL:
        with nogil:
            status = conv_backward_input(dtype, s, p, q, r, out)
    else:
        status = conv_backward_input(dtype, s, p, q, r, out)
    return _checked(status, dtype)


cdef int _backward_weight(const ConvShape* s, TensorImpl g, TensorImpl x, TensorImpl w) except -1:
    """Store the gradient with respect to the convolution's weight in w."""
    cdef char* p = data(g)
    cdef char* q = data(x)
    cdef char* out = data(w)
    cdef int status, dtype = g.dtype
    if _work(s) >= RELEASE_GIL:
        with nogil:
            status = conv_backward_weight(dtype, s, p, q, out)
    else:
        status = conv_backward_weight(dtype, s, p, q, out)
    return _checked(status, dtype)


cdef int _compute_dtype(int dtype) noexcept:
    return Float32 if is_reduced_floating(dtype) else dtype if has_float_kernels(dtype) else Float64


cdef inline TensorImpl _operand(TensorImpl t, int dtype):
    return None if t is None else contiguous(cast(t, dtype))


# ---- the operators

cdef TensorImpl _run(TensorImpl input, TensorImpl weight, TensorImpl bias, bint transposed,
                     const Arguments* a, const Py_ssize_t* out_size, Py_ssize_t groups):
    """Return the convolution: real, row-major and in the dtype of the kernels."""
    cdef ConvShape s
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef TensorImpl result
    cdef int d, dtype = _compute_dtype(input.dtype)
    _shape(input, weight, transposed, a, out_size, groups, &s)
    shape[0] = s.batch
    shape[1] = _out_channels(input, weight, transposed, groups)
    for d in range(a.dims):
        shape[d + 2] = out_size[d]
    result = empty(a.dims + 2, shape, dtype)
    if numel(result) == 0:
        return result
    bias = _operand(bias, dtype)
    if numel(input) == 0 or numel(weight) == 0:
        result = zeros(a.dims + 2, shape, dtype)
        if bias is not None:
            copy_(result, view(bias, (numel(bias),) + (1,) * a.dims))
        return result
    input, weight = _operand(input, dtype), _operand(weight, dtype)
    if transposed:
        _backward_input(&s, input, weight, bias, result)
    else:
        _forward(&s, input, weight, bias, result)
    return result


cdef int _result_format(TensorImpl input, TensorImpl weight) noexcept:
    """Return channels last if an operand has it, except where PyTorch's 3-dim kernels are row-major."""
    cdef int real = to_real(input.dtype)
    cdef int memory_format
    if ndim(input) == 5 and (real == Float64 or real == Float16):
        return CONTIGUOUS_FORMAT
    memory_format = suggest_memory_format(input)
    return suggest_memory_format(weight) if memory_format == CONTIGUOUS_FORMAT else memory_format


cdef TensorImpl convolution(TensorImpl input, TensorImpl weight, TensorImpl bias, tuple stride,
                            tuple padding, tuple dilation, bint transposed, tuple output_padding,
                            Py_ssize_t groups):
    cdef Arguments a
    cdef Py_ssize_t[MAX_DIMS] out_size
    cdef TensorImpl result, x_real, x_imag, w_real, w_imag
    _read(weight, stride, padding, dilation, output_padding, groups, transposed, &a)
    _check_channels(input, weight, bias, transposed, groups)
    _output_size(input, weight, transposed, &a, out_size)
    _check_dtypes(input, weight, transposed, a.dims, "", bias)
    _check_kernel(weight, a.dims)
    if not transposed:
        _check_dilated(&a, input.dtype)
    if input.dtype == Complex32:
        return cast(convolution(
            cast(input, Complex64), cast(weight, Complex64), None if bias is None else cast(bias, Complex64), stride,
            padding, dilation, transposed, output_padding, groups), Complex32)
    if is_complex(input.dtype):
        x_real, x_imag = complex_parts.real(input), complex_parts.imag(input)
        w_real, w_imag = complex_parts.real(weight), complex_parts.imag(weight)
        result = complex_parts.complex(
            sub(_run(x_real, w_real, None, transposed, &a, out_size, groups),
                _run(x_imag, w_imag, None, transposed, &a, out_size, groups)),
            add(_run(x_real, w_imag, None, transposed, &a, out_size, groups),
                _run(x_imag, w_real, None, transposed, &a, out_size, groups)))
        if bias is not None and numel(result) != 0:
            result = add(result, view(bias, (numel(bias),) + (1,) * a.dims), 1, result)
    else:
        result = cast(_run(input, weight, bias, transposed, &a, out_size, groups), input.dtype)
    return in_format(result, _result_format(input, weight))


cdef tuple _run_backward(TensorImpl grad, TensorImpl input, TensorImpl weight, bint transposed,
                         const Arguments* a, const Py_ssize_t* out_size, Py_ssize_t groups,
                         bint want_input, bint want_weight):
    cdef ConvShape s
    cdef TensorImpl grad_input = None, grad_weight = None
    cdef int dtype = _compute_dtype(input.dtype)
    _shape(input, weight, transposed, a, out_size, groups, &s)
    if want_input:
        grad_input = zeros(ndim(input), sizes(input), dtype)
    if want_weight:
        grad_weight = zeros(ndim(weight), sizes(weight), dtype)
    if numel(grad) == 0 or numel(input) == 0 or numel(weight) == 0:
        return grad_input, grad_weight
    grad = _operand(grad, dtype)
    if want_input:
        weight = _operand(weight, dtype)
        if transposed:
            _forward(&s, grad, weight, None, grad_input)
        else:
            _backward_input(&s, grad, weight, None, grad_input)
    if want_weight:
        input = _operand(input, dtype)
        if transposed:
            _backward_weight(&s, input, grad, grad_weight)
        else:
            _backward_weight(&s, grad, input, grad_weight)
    return grad_input, grad_weight


cdef tuple _complex_backward(TensorImpl grad, TensorImpl input, TensorImpl weight, bint transposed,
                             const Arguments* a, const Py_ssize_t* out_size, Py_ssize_t groups,
                             bint want_input, bint want_weight):
    """Return the products of grad with the conjugates of weight and input."""
    cdef list parts = []
    for g in (complex_parts.real(grad), complex_parts.imag(grad)):
        for x, w in ((complex_parts.real(input), complex_parts.real(weight)),
                     (complex_parts.imag(input), complex_parts.imag(weight))):
            parts.append(_run_backward(g, x, w, transposed, a, out_size, groups, want_input,
                                       want_weight))
    results = []
    for k, wanted in enumerate((want_input, want_weight)):
        if wanted:
            # (gr + i gi)(r - i m) has the real part gr r + gi m and the imaginary part gi r - gr m
            results.append(complex_parts.complex(add(parts[0][k], parts[3][k]),
                                                 sub(parts[2][k], parts[1][k])))
        else:
            results.append(None)
    return tuple(results)


cdef tuple convolution_backward(TensorImpl grad_output, TensorImpl input, TensorImpl weight,
                                object bias_sizes, tuple stride, tuple padding, tuple dilation,
                                bint transposed, tuple output_padding, Py_ssize_t groups,
                                tuple output_mask):
    cdef Arguments a
    cdef Py_ssize_t[MAX_DIMS] out_size
    cdef TensorImpl grad_input, grad_weight, grad_bias = None
    cdef Py_ssize_t filters
    cdef int d, memory_format
    _read(weight, stride, padding, dilation, output_padding, groups, transposed, &a)
    _check_channels(input, weight, None, transposed, groups)
    _output_size(input, weight, transposed, &a, out_size)
    _check_backward_dtypes(grad_output, input, weight, transposed, a.dims)
    if ndim(grad_output) != ndim(input):
        raise RuntimeError("Expected input and grad_output to have the same number of dimensions, "
                           f"but got: {ndim(input)} and {ndim(grad_output)}")
    expected = ((sizes(input)[0], _out_channels(input, weight, transposed, groups))
                + tuple([out_size[d] for d in range(a.dims)]))
    if sizes_tuple(grad_output) != expected:
        raise RuntimeError(f"convolution_backward: expected grad_output of size {list(expected)}, "
                           "but got "
                           f"{list(sizes_tuple(grad_output))}")
    if is_complex(input.dtype):
        grad_input, grad_weight = _complex_backward(
            grad_output, input, weight, transposed, &a, out_size, groups, output_mask[0],
            output_mask[1])
    else:
        grad_input, grad_weight = _run_backward(
            grad_output, input, weight, transposed, &a, out_size, groups, output_mask[0],
            output_mask[1])
    # PyTorch assembles complex gradients from the products of the parts, in row-major order
    memory_format = CONTIGUOUS_FORMAT if is_complex(input.dtype) else _result_format(input, weight)
    if grad_input is not None:
        grad_input = in_format(cast(grad_input, input.dtype), memory_format)
    if grad_weight is not None:
        grad_weight = in_format(cast(grad_weight, weight.dtype), memory_format)
    if output_mask[2] and numel(grad_output) == 0:
        filters = _filters(weight, transposed, groups)
        grad_bias = zeros(1, &filters, weight.dtype)
    elif output_mask[2]:
        grad_bias = sum(grad_output, (0,) + tuple(range(2, a.dims + 2)))
    return grad_input, grad_weight, grad_bias
