"""Questions that formulas ask about tensors, sizes and numbers."""

import cmath
import math

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.levels cimport Wrapped, wrapped, wrapped_in
from minitorch.autograd.math_bits cimport MathBits, bits_in
from minitorch.autograd.python_dispatch cimport asks_python, is_dispatched
from minitorch.autograd.special cimport any_level, interposers
from minitorch.autograd.variable cimport TensorBase, grad_fn_of, requires_grad
from minitorch.core.dtype cimport Float32, is_complex, is_differentiable, is_floating
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport TensorImpl, is_contiguous, ndim, sizes, sizes_tuple, wrap_dim
from minitorch.ops.common.scalar cimport item as number_in, number_for
from minitorch.ops.elementwise.compare cimport logical_not
from minitorch.ops.linalg.matmul cimport fuses, lonely_batch, matmul_plan, matmul_shapes
from minitorch.ops.reduction.reduction cimport count_nonzero
from minitorch.ops.shape.views cimport reshape_is_view

from minitorch.core.once import warn_once


cdef list all_sizes(object tensors):
    return [sizes_tuple((<TensorBase>t).impl) for t in tensors]


cdef list all_dtypes(object tensors):
    return [(<TensorBase>t).impl.dtype for t in tensors]


cdef object number_conj(object number):
    return number.conjugate() if isinstance(number, complex) else number


cdef object sizes_or_none(TensorBase t):
    return None if t is None else sizes_tuple(t.impl)


cdef object unsigned(object number):
    # PyTorch shows the integers that a node has saved without their sign: -1 is 2**64 - 1
    if isinstance(number, (tuple, list)):
        return tuple([unsigned(item) for item in number])
    if isinstance(number, int) and number < 0:
        return number + (1 << 64)
    return number


cdef Py_ssize_t size_of(TensorImpl t, Py_ssize_t dim) except -1:
    return sizes(t)[wrap_dim(dim, ndim(t))] if ndim(t) else 1


cdef int dtype_code(TensorImpl t) noexcept:
    return t.dtype


cdef Py_ssize_t offset_of(TensorImpl t) noexcept:
    return t.storage_offset


cdef bint complex_impl(TensorImpl t) noexcept:
    return is_complex(t.dtype)


cdef bint conj_impl(TensorImpl t) except -1:
    while wrapped_in(t) is not None:
        t = (<Wrapped>t.special).value.impl
    return bits_in(t) is not None and (<MathBits>t.special).conj


cdef bint inexact_impl(TensorImpl t) noexcept:
    return is_differentiable(t.dtype)


cdef bint can_view(object t, tuple shape) except -1:
    return reshape_is_view((<TensorBase>t).impl if isinstance(t, TensorBase) else <TensorImpl?>t, shape)


# in the order of MatmulPlan
cdef tuple _PLANS = ("dot", "mv", "vector_mm", "mm", "fold", "fold_right", "bmm")


cdef str matmul_plan_of(TensorBase a, TensorBase b):
    cdef TensorBase smaller = b if ndim(a.impl) >= ndim(b.impl) else a
    return _PLANS[<int>matmul_plan(a.impl, b.impl, requires_grad(smaller))]


cdef tuple inverse_permutation(tuple dims):
    cdef list places = [0] * len(dims)
    for k, d in enumerate(dims):
        places[d % len(dims)] = k
    return tuple(places)


cdef int lonely_batch_of(TensorBase a, TensorBase b) noexcept:
    cdef int lonely = lonely_batch(a.impl, b.impl)
    cdef TensorBase matrix = a if lonely == 1 else b
    cdef TensorBase matrices = b if lonely == 1 else a
    # its gradient is a sum over the batch; that of the others alone would be no smaller
    if lonely and not (grad_enabled() and requires_grad(matrix)):
        if grad_enabled() and requires_grad(matrices) or sizes(a.impl)[2] != sizes(b.impl)[1]:
            return 0
    return lonely


cdef tuple matmul_shapes_of(TensorBase a, TensorBase b):
    return matmul_shapes(a.impl, b.impl)


cdef Py_ssize_t numel_of(tuple sizes) except -1:
    cdef Py_ssize_t product = 1
    for size in sizes:
        product *= <Py_ssize_t>size
    return product


cdef bint is_contiguous_of(TensorBase t) noexcept:
    return is_contiguous(t.impl)


cdef bint records() noexcept:
    return grad_enabled() or any_level


cdef bint unseen(TensorBase t) noexcept:
    return not interposers and t.impl.special is None and not records()


cdef object told_number(TensorBase t):
    return (<object>t).item()


cdef bint computed_by_python(object t) except -1:
    return not grad_enabled() and isinstance(t, TensorBase) and is_dispatched(<TensorBase>t)


cdef bint is_transformed(object t) except -1:
    return isinstance(t, TensorBase) and wrapped(<TensorBase>t) is not None


cdef bint is_sample(object t) except -1:
    cdef Wrapped special = wrapped(<TensorBase>t) if isinstance(t, TensorBase) else None
    while special is not None and not special.level.alive:
        special = wrapped(special.value)
    return special is not None and special.dim >= 0


cdef Py_ssize_t zero_count(TensorImpl t) except -1:
    """Return the number of elements that are 0; 1 if the elements must not be read."""
    if not is_plain(t):
        return 1
    return number_in(count_nonzero(logical_not(t)))


cdef bint is_fusable(TensorImpl bias) noexcept:
    return fuses(bias)


cdef bint is_plain(TensorImpl t) except -1:
    return t.special is None and not (interposers and asks_python(()))    # a mode takes every tensor for its own


cdef int check_history(object t) except -1:
    """Raise if the history of a view is lost, as an operator that records the view does."""
    if isinstance(t, TensorBase) and (<TensorBase>t)._view is not None and grad_enabled() and requires_grad(t):
        grad_fn_of(t)
    return 0


cdef bint is_floating_code(int dtype) noexcept:
    return is_floating(dtype)


cdef int result_type_of(object a, object b) except -1:
    cdef TensorImpl x = (<TensorBase>a).impl if isinstance(a, TensorBase) else a
    cdef TensorImpl y = (<TensorBase>b).impl if isinstance(b, TensorBase) else b
    return result_type(x, y, None)


cdef int warn_of_padded_copy() except -1:
    warn_once("Using padding='same' with even kernel lengths and odd dilation may require a "
              "zero-padded copy of the input be created")
    return 0


cdef double float32_of(object number) except? -1.0:
    return <double><float>number_for(number, Float32)


cdef object log_of(object number):
    if isinstance(number, complex):
        return cmath.log(number) if number != 0 else complex(-math.inf, 0)
    return math.log(number) if number > 0 else -math.inf if number == 0 else math.nan
