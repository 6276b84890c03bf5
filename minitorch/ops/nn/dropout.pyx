"""Dropout.

On the CPU PyTorch's `dropout` is input * dropout_noise(input, p), so it records the node of a product.
`native_dropout` is an operator with a node of its own. Both draw the same numbers.
"""

from minitorch.core.dtype cimport Bool, Float32, is_complex, is_floating
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, empty, empty_like, ndim, numel, sizes, wrap_number)
from minitorch.ops.common.copy cimport clone, fill_
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.elementwise.binary cimport mul
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.random.random cimport bernoulli_scalar_


cdef tuple native_dropout(TensorImpl input, double p, object train):
    cdef TensorImpl mask
    if numel(input) == 0:
        return input, empty_like(input, input.dtype)
    if train is not None and not train:
        return clone(input), fill_(empty_like(input, Bool), True)
    check_can_cast(input.dtype if is_floating(input.dtype) or is_complex(input.dtype) else Float32,
                   input.dtype)
    mask = bernoulli_scalar_(empty_like(input, Bool), 1 - p, None)
    return native_dropout_backward(input, mask, 0 if p == 1 else 1 / (1 - p)), mask


cdef TensorImpl native_dropout_backward(TensorImpl grad_output, TensorImpl mask, double scale):
    cdef TensorImpl result = mul(grad_output, mask)
    if not is_floating(result.dtype) and not is_complex(result.dtype):
        return mul(result, wrap_number(scale))
    return mul(result, wrap_number(scale), result)


cdef TensorImpl dropout_noise(TensorImpl input, double p, bint feature=False):
    cdef TensorImpl noise
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d
    if feature:
        if ndim(input) < 2:
            raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
        for d in range(ndim(input)):
            shape[d] = sizes(input)[d] if d < 2 else 1
        noise = empty(ndim(input), shape, input.dtype)
    else:
        noise = empty_like(input, input.dtype)
    # an integer dtype cannot hold 1 / (1 - p)
    check_can_cast(input.dtype if is_floating(input.dtype) or is_complex(input.dtype) else Float32,
                   input.dtype)
    bernoulli_scalar_(noise, 1 - p, None)
    return div(noise, wrap_number(1 - p), None, noise)
