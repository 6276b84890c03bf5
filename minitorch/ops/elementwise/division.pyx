"""Division of two tensors, and what remains of it. The error messages are PyTorch's."""

from minitorch.core.dtype cimport is_float8, is_integral, is_reduced_floating, is_wide_unsigned, itemsizes
from minitorch.core.iterator cimport TensorIterator, infer_shape
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl, data, ndim, numel
from minitorch.kernels.common cimport table
from minitorch.kernels.common.cast cimport has_zero
from minitorch.ops.common.checks cimport FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.common.output cimport check_can_cast
from minitorch.ops.elementwise.binary cimport is_reduced_and_scalar, reduced_by_scalar
from minitorch.ops.elementwise.pointwise cimport SAME, TO_FLOAT, binary, check_out_shape


cdef int _check_divisor(TensorImpl self, TensorImpl other, TensorImpl out) except -1:
    """Raise if an integer division has a zero divisor, and shapes and dtypes that fit."""
    cdef TensorImpl dense
    cdef TensorIterator it
    cdef SizesAndStrides* geometries[2]
    cdef int dtype = result_type(self, other, None)
    if is_integral(dtype) and not is_wide_unsigned(dtype) and numel(other) and numel(self):
        dense = contiguous(cast(other, dtype))
        if has_zero(data(dense), numel(dense), itemsizes[dense.dtype], dense.dtype):
            geometries[0], geometries[1] = self.geometry, other.geometry
            infer_shape(&it, 2, geometries)
            if out is not None:
                check_out_shape(out, out is self or out is other, &it)
                check_can_cast(dtype, out.dtype)
            raise RuntimeError("ZeroDivisionError")
    return 0


cdef TensorImpl div(TensorImpl self, TensorImpl other, object rounding_mode=None,
                    TensorImpl out=None):
    if is_float8(self.dtype) and ndim(other) == 0:
        name = "div" if rounding_mode is None else f"div_{rounding_mode}"
        reject_dtypes(self.dtype, FLOAT8, f"{name}_cpu_reduced_float")
    if is_reduced_floating(self.dtype) and (
            is_reduced_and_scalar(self, other)
            or rounding_mode == "trunc" and other.dtype == self.dtype and numel(other) == 1
            and ndim(other) <= ndim(self)):
        return reduced_by_scalar(table.DIV if rounding_mode is None else table.TRUNC_DIVIDE
                                 if rounding_mode == "trunc" else table.FLOOR_DIVIDE, self, other,
                                 "div_cpu", out)
    if rounding_mode is None:
        return binary(table.DIV, self, other, TO_FLOAT, "div_cpu", NULL, out)
    if rounding_mode == "trunc":
        _check_divisor(self, other, out)
        return binary(table.TRUNC_DIVIDE, self, other, SAME, "div_trunc_cpu", NULL, out)
    if rounding_mode == "floor":
        _check_divisor(self, other, out)
        return binary(table.FLOOR_DIVIDE, self, other, SAME, "div_floor_cpu", NULL, out)
    raise RuntimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor' but "
                       f"found '{rounding_mode}'")


cdef TensorImpl floor_divide(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return div(self, other, "floor", out)


cdef TensorImpl remainder(TensorImpl self, TensorImpl other, TensorImpl out=None):
    _check_divisor(self, other, out)
    return binary(table.REMAINDER, self, other, SAME, "remainder_cpu", NULL, out)


cdef TensorImpl fmod(TensorImpl self, TensorImpl other, TensorImpl out=None):
    _check_divisor(self, other, out)
    return binary(table.FMOD, self, other, SAME, "fmod_cpu", NULL, out)
