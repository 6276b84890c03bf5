"""Comparisons, logical and bitwise operators.

Comparisons compute in the common dtype and return Bool. As in PyTorch, ``out`` may have any dtype.
"""

from minitorch.core.dtype cimport Float16, Float32, is_complex, is_floating
from minitorch.core.tensor_impl cimport TensorImpl, ndim, same_sizes, sizes, sizes_tuple
from minitorch.kernels.common cimport table
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.copy cimport cast, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.elementwise.pointwise cimport MASKED, SAME, STRICT, TO_BOOL, binary, ternary, unary
from minitorch.ops.shape.complex_parts cimport complex, imag, real


cdef TensorImpl _beside(TensorImpl t, TensorImpl half):
    """Return `t` rounded to complex32 precision if it is a complex number compared with a float16 tensor."""
    if half.dtype != Float16 or not is_complex(t.dtype) or ndim(t) != 0 or half.is_wrapped_number:
        return t
    if ndim(half) == 0 and not t.is_wrapped_number:
        return t
    return complex(cast(cast(real(t), Float16), Float32), cast(cast(imag(t), Float16), Float32))


cdef TensorImpl eq(TensorImpl self, TensorImpl other, TensorImpl out=None):
    self, other = plain_bools(self), plain_bools(other)
    return binary(table.EQ, _beside(self, other), _beside(other, self), TO_BOOL, "eq_cpu", NULL, out)


cdef TensorImpl ne(TensorImpl self, TensorImpl other, TensorImpl out=None):
    self, other = plain_bools(self), plain_bools(other)
    return binary(table.NE, _beside(self, other), _beside(other, self), TO_BOOL, "ne_cpu", NULL, out)


cdef TensorImpl lt(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LT, plain_bools(self), plain_bools(other), TO_BOOL, "lt_cpu", NULL, out)


cdef TensorImpl le(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LE, plain_bools(self), plain_bools(other), TO_BOOL, "le_cpu", NULL, out)


cdef TensorImpl gt(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.GT, plain_bools(self), plain_bools(other), TO_BOOL, "gt_cpu", NULL, out)


cdef TensorImpl ge(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.GE, plain_bools(self), plain_bools(other), TO_BOOL, "ge_cpu", NULL, out)


cdef TensorImpl heaviside(TensorImpl self, TensorImpl values, TensorImpl out=None):
    cdef TensorImpl zero, positive, result
    if is_complex(self.dtype) or is_complex(values.dtype):
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if out is not None and is_complex(out.dtype):
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if self.dtype != values.dtype or out is not None and out.dtype != self.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    if not is_floating(self.dtype):
        zero = scalar_tensor(0, self.dtype)
        positive = cast(gt(self, zero), self.dtype)
        result = ternary(table.WHERE, eq(self, zero), values, positive, MASKED, "heaviside_cpu", NULL,
                         None)
        if out is None:
            return result
        if out is self and not same_sizes(out.geometry, result.geometry):
            raise RuntimeError(f"output with shape {list(sizes_tuple(out))} doesn't match the broadcast "
                               f"shape {list(sizes_tuple(result))}")
        resize_output(out, ndim(result), sizes(result))
        return copy_(out, result)
    return binary(table.HEAVISIDE, self, values, STRICT, "heaviside_cpu", NULL, out)


cdef TensorImpl logical_and(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGICAL_AND, self, other, TO_BOOL, "logical_and_cpu", NULL, out)


cdef TensorImpl logical_or(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGICAL_OR, self, other, TO_BOOL, "logical_or_cpu", NULL, out)


cdef TensorImpl logical_xor(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGICAL_XOR, plain_bools(self), plain_bools(other), TO_BOOL, "logical_xor_cpu", NULL,
                  out)


cdef TensorImpl logical_not(TensorImpl self, TensorImpl out=None):
    return unary(table.LOGICAL_NOT, self, TO_BOOL, "logical_not_cpu", NULL, out)


cdef TensorImpl bitwise_and(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.BITWISE_AND, self, other, SAME, "bitwise_and_cpu", NULL, out)


cdef TensorImpl bitwise_or(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.BITWISE_OR, self, other, SAME, "bitwise_or_cpu", NULL, out)


cdef TensorImpl bitwise_xor(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.BITWISE_XOR, plain_bools(self), plain_bools(other), SAME, "bitwise_xor_cpu", NULL, out)


cdef TensorImpl bitwise_left_shift(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LEFT_SHIFT, self, other, SAME, "lshift_cpu", NULL, out)


cdef TensorImpl bitwise_right_shift(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.RIGHT_SHIFT, self, other, SAME, "rshift_cpu", NULL, out)


cdef TensorImpl bitwise_not(TensorImpl self, TensorImpl out=None):
    return unary(table.BITWISE_NOT, self, STRICT, "bitwise_not_cpu", NULL, out)
