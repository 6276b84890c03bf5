"""Sums, differences and products of two tensors.

Each operator checks its arguments and calls `pointwise.binary`. The error messages are PyTorch's.
"""

from minitorch.core.dtype cimport Bool, Float32, Int64, is_complex, is_float8, is_floating, is_reduced_floating
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport TensorImpl, ndim, wrap_number
from minitorch.kernels.common cimport table
from minitorch.ops.common.checks cimport FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast
from minitorch.ops.common.scalar cimport read_scalar, write_scalar
from minitorch.ops.elementwise.pointwise cimport SAME, binary, unary


# ---- sums and differences

cdef int _check_alpha(TensorImpl self, TensorImpl other, object alpha) except -1:
    cdef int dtype = result_type(self, other, None)
    if isinstance(alpha, bool) and dtype != Bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and not (is_floating(dtype) or is_complex(dtype)):
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating "
                           "point number.")
    if isinstance(alpha, complex) and not is_complex(dtype):
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex "
                           "number.")
    return 0


cdef TensorImpl _scaled(int op, int plain, TensorImpl self, TensorImpl other, object alpha,
                        str name, TensorImpl out):
    """Return self + alpha * other, or self - alpha * other, depending on `op`."""
    cdef double[2] params
    cdef double[1] element
    cdef int dtype
    _check_alpha(self, other, alpha)
    if alpha != 1:
        dtype = result_type(self, other, None)
        # The kernels take alpha as a double. Where that is inexact or impossible, multiply `other` first.
        if dtype == Bool:
            other = mul(other, wrap_number(bool(alpha)))
        elif dtype == Int64 and not -2**53 < alpha < 2**53:
            other = mul(other, wrap_number(alpha))
        elif is_complex(dtype):
            params[0], params[1] = alpha.real, alpha.imag
            return binary(op, self, other, SAME, name, params, out)
        else:
            params[0] = alpha
            if is_reduced_floating(dtype):
                write_scalar(alpha, dtype, element)
                params[0] = read_scalar(<char*>element, dtype)
            return binary(op, self, other, SAME, name, params, out)
    return binary(plain, self, other, SAME, name, NULL, out)


cdef TensorImpl add(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    if type(alpha) is int and alpha == 1:
        return binary(table.ADD, self, other, SAME, "add_stub", NULL, out)
    return _scaled(table.ADD_ALPHA, table.ADD, self, other, alpha, "add_stub", out)


cdef int _check_sub(TensorImpl self, TensorImpl other) except -1:
    if self.dtype == Bool or other.dtype == Bool:
        if self.dtype == Bool and other.dtype == Bool:
            raise RuntimeError("Subtraction, the `-` operator, with two bool tensors is not "
                               "supported. Use the `^` or `logical_xor()` operator instead.")
        raise RuntimeError("Subtraction, the `-` operator, with a bool tensor is not supported. "
                           "If you are trying to invert a mask, use the `~` or `logical_not()` "
                           "operator instead.")
    return 0


cdef TensorImpl sub(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    if self.dtype == Bool or other.dtype == Bool:
        _check_sub(self, other)
    if type(alpha) is int and alpha == 1:
        return binary(table.SUB, self, other, SAME, "add_stub", NULL, out)
    return _scaled(table.SUB_ALPHA, table.SUB, self, other, alpha, "add_stub", out)


cdef TensorImpl rsub(TensorImpl self, TensorImpl other, object alpha=1, TensorImpl out=None):
    return sub(other, self, alpha, out)


# ---- products

cdef TensorImpl reduced_by_scalar(int op, TensorImpl self, TensorImpl other, str name, TensorImpl out):
    cdef TensorImpl wide = cast(self, Float32)
    wide = binary(op, wide, cast(other, Float32), SAME, name, NULL, wide)
    if out is None:
        return cast(wide, self.dtype)
    return unary(table.CONJ, cast(wide, self.dtype), SAME, name, NULL, out)


cdef TensorImpl mul(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_reduced_and_scalar(self, other):
        return reduced_by_scalar(table.MUL, self, other, "mul_stub", out)
    if (is_float8(self.dtype) or is_float8(other.dtype)) and (self.is_wrapped_number or ndim(other) == 0):
        reject_dtypes(result_type(self, other, None), FLOAT8, "mul_cpu_reduced_float")
    return binary(table.MUL, self, other, SAME, "mul_stub", NULL, out)
