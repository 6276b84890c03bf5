"""What the tests see of the elementwise operators: NumPy arrays and numbers in, `TensorImpl`s
through, arrays and geometry out."""

cimport numpy as cnp

from minitorch.core.dtype cimport dtype_of, from_numpy_type, itemsizes, numpy_types
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, external, ndim, read_sizes, sizes_tuple,
    strides_tuple, wrap_number)
from minitorch.kernels.common.parallel cimport set_num_threads
from minitorch.ops.common cimport copy, scalar
from minitorch.ops.creation cimport factory
from minitorch.ops.elementwise cimport (
    activation, activation_backward, binary, binary_functions, compare, division, ternary, unary)
from minitorch.ops.indexing cimport masked
from minitorch.ops.shape cimport complex_parts

cnp.import_array()


def from_array(cnp.ndarray array):
    """A C-contiguous array as a tensor that shares its memory."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int d
    if not array.flags.c_contiguous:
        raise ValueError("a C-contiguous array is needed")
    for d in range(array.ndim):
        n[d] = array.shape[d]
    return external(<char*>cnp.PyArray_DATA(array), array.nbytes, array, array.ndim, n, NULL,
                    from_numpy_type(cnp.PyArray_TYPE(array)))


def as_strided(TensorImpl t, sizes, strides, Py_ssize_t offset=0):
    """A view of t's storage."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef int dims = read_sizes(sizes, n)
    read_sizes(strides, s)
    return as_strided_impl(t, dims, n, s, offset)


def number(value):
    """A Python number as operators get it."""
    return wrap_number(value)


def to_array(TensorImpl t):
    """A copy of the values."""
    cdef cnp.npy_intp[MAX_DIMS] n
    cdef cnp.npy_intp[MAX_DIMS] s
    for d, (size, stride) in enumerate(zip(sizes_tuple(t), strides_tuple(t))):
        n[<int>d] = size
        s[<int>d] = stride * itemsizes[t.dtype]
    return cnp.PyArray_New(cnp.ndarray, ndim(t), n, numpy_types[t.dtype], s, data(t), 0,
                           cnp.NPY_ARRAY_WRITEABLE, None).copy()


def geometry(TensorImpl t):
    """(sizes, strides, dtype name)"""
    return sizes_tuple(t), strides_tuple(t), dtype_of(t.dtype)._name


def shares_storage(TensorImpl a, TensorImpl b):
    return a.storage == b.storage


def result_type_name(TensorImpl a, TensorImpl b=None, TensorImpl c=None):
    return dtype_of(result_type(a, b, c))._name


def use_threads(int n):
    """How many threads kernels may use."""
    set_num_threads(n)


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


def names():
    """The operators that `call` knows."""
    return sorted(_OPERATORS)


_OPERATORS = {
    "neg": lambda self, out=None: unary.neg(self, out),
    "abs": lambda self, out=None: unary.abs(self, out),
    "sign": lambda self, out=None: unary.sign(self, out),
    "sgn": lambda self, out=None: unary.sgn(self, out),
    "signbit": lambda self, out=None: unary.signbit(self, out),
    "square": lambda self, out=None: unary.square(self, out),
    "sqrt": lambda self, out=None: unary.sqrt(self, out),
    "rsqrt": lambda self, out=None: unary.rsqrt(self, out),
    "reciprocal": lambda self, out=None: unary.reciprocal(self, out),
    "exp": lambda self, out=None: unary.exp(self, out),
    "exp2": lambda self, out=None: unary.exp2(self, out),
    "expm1": lambda self, out=None: unary.expm1(self, out),
    "log": lambda self, out=None: unary.log(self, out),
    "log2": lambda self, out=None: unary.log2(self, out),
    "log10": lambda self, out=None: unary.log10(self, out),
    "log1p": lambda self, out=None: unary.log1p(self, out),
    "sin": lambda self, out=None: unary.sin(self, out),
    "cos": lambda self, out=None: unary.cos(self, out),
    "tan": lambda self, out=None: unary.tan(self, out),
    "asin": lambda self, out=None: unary.asin(self, out),
    "acos": lambda self, out=None: unary.acos(self, out),
    "atan": lambda self, out=None: unary.atan(self, out),
    "sinh": lambda self, out=None: unary.sinh(self, out),
    "cosh": lambda self, out=None: unary.cosh(self, out),
    "tanh": lambda self, out=None: unary.tanh(self, out),
    "asinh": lambda self, out=None: unary.asinh(self, out),
    "acosh": lambda self, out=None: unary.acosh(self, out),
    "atanh": lambda self, out=None: unary.atanh(self, out),
    "sigmoid": lambda self, out=None: unary.sigmoid(self, out),
    "erf": lambda self, out=None: unary.erf(self, out),
    "erfc": lambda self, out=None: unary.erfc(self, out),
    "erfinv": lambda self, out=None: unary.erfinv(self, out),
    "lgamma": lambda self, out=None: unary.lgamma(self, out),
    "digamma": lambda self, out=None: unary.digamma(self, out),
    "floor": lambda self, out=None: unary.floor(self, out),
    "ceil": lambda self, out=None: unary.ceil(self, out),
    "trunc": lambda self, out=None: unary.trunc(self, out),
    "round": lambda self, decimals=0, out=None: unary.round(self, decimals, out),
    "frac": lambda self, out=None: unary.frac(self, out),
    "isnan": lambda self: unary.isnan(self),
    "isinf": lambda self: unary.isinf(self),
    "isfinite": lambda self: unary.isfinite(self),
    "nan_to_num": lambda self, nan=None, posinf=None, neginf=None, out=None:
        unary.nan_to_num(self, nan, posinf, neginf, out),
    "conj": lambda self: unary.conj(self),
    "conj_physical": lambda self, out=None: unary.conj_physical(self, out),
    "angle": lambda self, out=None: unary.angle(self, out),
    "add": lambda self, other, alpha=1, out=None: binary.add(self, other, alpha, out),
    "sub": lambda self, other, alpha=1, out=None: binary.sub(self, other, alpha, out),
    "rsub": lambda self, other, alpha=1, out=None: binary.rsub(self, other, alpha, out),
    "mul": lambda self, other, out=None: binary.mul(self, other, out),
    "div": lambda self, other, rounding_mode=None, out=None:
        division.div(self, other, rounding_mode, out),
    "floor_divide": lambda self, other, out=None: division.floor_divide(self, other, out),
    "remainder": lambda self, other, out=None: division.remainder(self, other, out),
    "fmod": lambda self, other, out=None: division.fmod(self, other, out),
    "pow": lambda self, exponent, out=None: binary_functions.pow(self, exponent, out),
    "maximum": lambda self, other, out=None: binary_functions.maximum(self, other, out),
    "minimum": lambda self, other, out=None: binary_functions.minimum(self, other, out),
    "fmax": lambda self, other, out=None: binary_functions.fmax(self, other, out),
    "fmin": lambda self, other, out=None: binary_functions.fmin(self, other, out),
    "atan2": lambda self, other, out=None: binary_functions.atan2(self, other, out),
    "hypot": lambda self, other, out=None: binary_functions.hypot(self, other, out),
    "copysign": lambda self, other, out=None: binary_functions.copysign(self, other, out),
    "nextafter": lambda self, other, out=None: binary_functions.nextafter(self, other, out),
    "logaddexp": lambda self, other, out=None: binary_functions.logaddexp(self, other, out),
    "logaddexp2": lambda self, other, out=None: binary_functions.logaddexp2(self, other, out),
    "heaviside": lambda self, values, out=None: compare.heaviside(self, values, out),
    "gcd": lambda self, other, out=None: binary_functions.gcd(self, other, out),
    "lcm": lambda self, other, out=None: binary_functions.lcm(self, other, out),
    "xlogy": lambda self, other, out=None: binary_functions.xlogy(self, other, out),
    "eq": lambda self, other, out=None: compare.eq(self, other, out),
    "ne": lambda self, other, out=None: compare.ne(self, other, out),
    "lt": lambda self, other, out=None: compare.lt(self, other, out),
    "le": lambda self, other, out=None: compare.le(self, other, out),
    "gt": lambda self, other, out=None: compare.gt(self, other, out),
    "ge": lambda self, other, out=None: compare.ge(self, other, out),
    "logical_and": lambda self, other, out=None: compare.logical_and(self, other, out),
    "logical_or": lambda self, other, out=None: compare.logical_or(self, other, out),
    "logical_xor": lambda self, other, out=None: compare.logical_xor(self, other, out),
    "logical_not": lambda self, out=None: compare.logical_not(self, out),
    "bitwise_and": lambda self, other, out=None: compare.bitwise_and(self, other, out),
    "bitwise_or": lambda self, other, out=None: compare.bitwise_or(self, other, out),
    "bitwise_xor": lambda self, other, out=None: compare.bitwise_xor(self, other, out),
    "bitwise_left_shift": lambda self, other, out=None:
        compare.bitwise_left_shift(self, other, out),
    "bitwise_right_shift": lambda self, other, out=None:
        compare.bitwise_right_shift(self, other, out),
    "bitwise_not": lambda self, out=None: compare.bitwise_not(self, out),
    "clamp": lambda self, min=None, max=None, out=None: ternary.clamp(self, min, max, out),
    "clamp_min": lambda self, min, out=None: ternary.clamp_min(self, min, out),
    "clamp_max": lambda self, max, out=None: ternary.clamp_max(self, max, out),
    "clamp_tensor": lambda self, min, max, out=None: ternary.clamp_tensor(self, min, max, out),
    "where": lambda condition, self, other, out=None: ternary.where(condition, self, other, out),
    "masked_fill": lambda self, mask, value, out=None: masked.masked_fill(self, mask, value, out),
    "addcmul": lambda self, tensor1, tensor2, value=1, out=None:
        ternary.addcmul(self, tensor1, tensor2, value, out),
    "addcdiv": lambda self, tensor1, tensor2, value=1, out=None:
        ternary.addcdiv(self, tensor1, tensor2, value, out),
    "lerp": lambda self, end, weight, out=None: ternary.lerp(self, end, weight, out),
    "relu": lambda self, out=None: activation.relu(self, out),
    "relu6": lambda self, out=None: activation.relu6(self, out),
    "threshold": lambda self, threshold, value, out=None:
        activation.threshold(self, threshold, value, out),
    "hardtanh": lambda self, min_val=-1, max_val=1, out=None:
        activation.hardtanh(self, min_val, max_val, out),
    "leaky_relu": lambda self, negative_slope=0.01, out=None:
        activation.leaky_relu(self, negative_slope, out),
    "elu": lambda self, alpha=1, scale=1, input_scale=1, out=None:
        activation.elu(self, alpha, scale, input_scale, out),
    "selu": lambda self, out=None: activation.selu(self, out),
    "celu": lambda self, alpha=1, out=None: activation.celu(self, alpha, out),
    "gelu": lambda self, approximate="none", out=None: activation.gelu(self, approximate, out),
    "silu": lambda self, out=None: activation.silu(self, out),
    "mish": lambda self, out=None: activation.mish(self, out),
    "softplus": lambda self, beta=1, threshold=20, out=None:
        activation.softplus(self, beta, threshold, out),
    "log_sigmoid": lambda self, out=None: activation.log_sigmoid(self, out),
    "hardsigmoid": lambda self, out=None: activation.hardsigmoid(self, out),
    "hardswish": lambda self, out=None: activation.hardswish(self, out),
    "hardshrink": lambda self, lambd=0.5, out=None: activation.hardshrink(self, lambd, out),
    "softshrink": lambda self, lambd=0.5, out=None: activation.softshrink(self, lambd, out),
    "_prelu_kernel": lambda self, weight: activation._prelu_kernel(self, weight),
    "tanh_backward": lambda grad_output, output:
        activation_backward.tanh_backward(grad_output, output),
    "sigmoid_backward": lambda grad_output, output:
        activation_backward.sigmoid_backward(grad_output, output),
    "threshold_backward": lambda grad_output, self, threshold:
        activation_backward.threshold_backward(grad_output, self, threshold),
    "hardtanh_backward": lambda grad_output, self, min_val, max_val:
        activation_backward.hardtanh_backward(grad_output, self, min_val, max_val),
    "leaky_relu_backward": lambda grad_output, self, negative_slope, self_is_result:
        activation_backward.leaky_relu_backward(grad_output, self, negative_slope, self_is_result),
    "elu_backward": lambda grad_output, alpha, scale, input_scale, is_result, self_or_result:
        activation_backward.elu_backward(grad_output, alpha, scale, input_scale, is_result,
                                         self_or_result),
    "gelu_backward": lambda grad_output, self, approximate="none":
        activation_backward.gelu_backward(grad_output, self, approximate),
    "silu_backward": lambda grad_output, self:
        activation_backward.silu_backward(grad_output, self),
    "mish_backward": lambda grad_output, self:
        activation_backward.mish_backward(grad_output, self),
    "softplus_backward": lambda grad_output, self, beta, threshold:
        activation_backward.softplus_backward(grad_output, self, beta, threshold),
    "log_sigmoid_backward": lambda grad_output, self:
        activation_backward.log_sigmoid_backward(grad_output, self),
    "hardsigmoid_backward": lambda grad_output, self:
        activation_backward.hardsigmoid_backward(grad_output, self),
    "hardswish_backward": lambda grad_output, self:
        activation_backward.hardswish_backward(grad_output, self),
    "hardshrink_backward": lambda grad_out, self, lambd:
        activation_backward.hardshrink_backward(grad_out, self, lambd),
    "softshrink_backward": lambda grad_output, self, lambd:
        activation_backward.softshrink_backward(grad_output, self, lambd),
    "_prelu_kernel_backward": lambda grad_output, self, weight:
        activation_backward._prelu_kernel_backward(grad_output, self, weight),
    "real": lambda self: complex_parts.real(self),
    "imag": lambda self: complex_parts.imag(self),
    "view_as_real": lambda self: complex_parts.view_as_real(self),
    "view_as_complex": lambda self: complex_parts.view_as_complex(self),
    "complex": lambda real, imag: complex_parts.complex(real, imag),
    "copy_": lambda self, src: copy.copy_(self, src),
    "cast": lambda self, dtype: copy.cast(self, dtype),
    "clone": lambda self, memory_format=1: copy.clone(self, memory_format),
    "contiguous": lambda self, memory_format=0: copy.contiguous(self, memory_format),
    "empty_in_format": lambda self, dtype, memory_format:
        copy.empty_in_format(self, dtype, memory_format),
    "fill_": lambda self, value: copy.fill_(self, value),
    "zero_": lambda self: copy.zero_(self),
    "scalar_tensor": lambda value, dtype: scalar.scalar_tensor(value, dtype),
    "item": lambda self: scalar.item(self),
    "tolist": lambda self: scalar.tolist(self),
    "zeros": lambda size, dtype=16: factory.zeros(size, dtype),
    "ones": lambda size, dtype=16: factory.ones(size, dtype),
    "full": lambda size, fill_value, dtype=16: factory.full(size, fill_value, dtype),
    "new_empty": lambda size, dtype=16: factory.new_empty(size, dtype),
    "zeros_like": lambda self, dtype=16, memory_format=1:
        factory.zeros_like(self, dtype, memory_format),
    "ones_like": lambda self, dtype=16, memory_format=1:
        factory.ones_like(self, dtype, memory_format),
    "full_like": lambda self, fill_value, dtype=16, memory_format=1:
        factory.full_like(self, fill_value, dtype, memory_format),
    "arange": lambda start, end, step, dtype=16: factory.arange(start, end, step, dtype),
    "linspace": lambda start, end, steps, dtype=16: factory.linspace(start, end, steps, dtype),
    "logspace": lambda start, end, steps, base=10.0, dtype=16:
        factory.logspace(start, end, steps, base, dtype),
    "eye": lambda n, m, dtype=16: factory.eye(n, m, dtype),
    "tril_indices": lambda row, col, offset=0, dtype=16:
        factory.tril_indices(row, col, offset, dtype),
    "triu_indices": lambda row, col, offset=0, dtype=16:
        factory.triu_indices(row, col, offset, dtype),
}
