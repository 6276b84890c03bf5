"""Functions of two tensors other than arithmetic: powers, maxima, angles, logarithms, common divisors.

Each operator checks its arguments and calls `pointwise.binary` once. The error messages are PyTorch's.
"""

from minitorch.core.dtype cimport BFloat16, is_complex, is_integral, is_reduced_floating
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport TensorImpl, data, empty, ndim, sizes
from minitorch.kernels.common cimport table
from minitorch.ops.common.copy cimport cast, fill_
from minitorch.ops.common.scalar cimport read_scalar, write_scalar
from minitorch.ops.elementwise.binary cimport mul
from minitorch.ops.elementwise.pointwise cimport SAME, TO_FLOAT, binary, unary


# ---- powers

cdef TensorImpl pow(TensorImpl self, TensorImpl exponent, TensorImpl out=None):
    # Decision table. For a number as exponent: 0 -> ones, 1 -> a copy, 0.5, -0.5, -1, 2, 3 -> roots and products.
    # For a number as base: 1 -> ones. Everything else goes to the general kernel.
    cdef int dtype
    cdef double value
    cdef double[2] element
    if exponent.is_wrapped_number and not self.is_wrapped_number:
        number = read_scalar(data(exponent), exponent.dtype)
        dtype = result_type(self, exponent, None)
        if is_integral(dtype) and number < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if isinstance(number, complex) and number.imag == 0:
            number = number.real
        if dtype != self.dtype:
            self = cast(self, dtype)
        if not isinstance(number, complex):
            if is_integral(dtype) or is_reduced_floating(dtype):
                write_scalar(number, dtype, element)
            value = number
            if is_reduced_floating(dtype):
                value = read_scalar(<char*>element, dtype)
            if is_complex(dtype) or dtype == BFloat16:
                if value == 3:
                    return mul(unary(table.SQUARE, self, SAME, "pow", NULL, None), self, out)
                if value == -2:
                    self = unary(table.SQUARE, self, SAME, "pow", NULL, None)
                    return unary(table.RECIPROCAL, self, SAME, "pow", NULL, out)
            if value == 2:
                return unary(table.SQUARE, self, SAME, "pow", NULL, out)
            if value == 0.5 and not is_integral(dtype):
                return unary(table.SQRT, self, SAME, "sqrt_vml_cpu", NULL, out)
            if value == -0.5 and not is_integral(dtype):
                return unary(table.RSQRT, self, SAME, "rsqrt_cpu", NULL, out)
            if value == -1 and not is_integral(dtype):
                return unary(table.RECIPROCAL, self, SAME, "reciprocal_cpu", NULL, out)
            if value == 0:
                return fill_(unary(table.CONJ, self, SAME, "pow", NULL, out), 1)
            if value == 1:                  # conjugating twice makes a copy, also where `out` is `self`
                return unary(table.CONJ, unary(table.CONJ, self, SAME, "pow", NULL, None), SAME, "pow", NULL, out)
            if not is_complex(dtype):
                return unary(table.POW_SCALAR, self, SAME, "pow", &value, out)
    elif self.is_wrapped_number and out is None:
        number = read_scalar(data(self), self.dtype)
        if number == 1:
            dtype = result_type(self, exponent, None)
            return fill_(empty(ndim(exponent), sizes(exponent), dtype), 1)
        # row-major, regardless of the strides of the exponent
        dtype = result_type(self, exponent, None)
        out = empty(ndim(exponent), sizes(exponent), dtype)
    return binary(table.POW, self, exponent, SAME, "pow", NULL, out)


# ---- the larger, the smaller

cdef TensorImpl maximum(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("maximum not implemented for complex tensors.")
    return binary(table.MAXIMUM, self, other, SAME, "maximum_cpu", NULL, out)


cdef TensorImpl minimum(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("minimum not implemented for complex tensors.")
    return binary(table.MINIMUM, self, other, SAME, "minimum_cpu", NULL, out)


cdef TensorImpl fmax(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("fmax not implemented for complex tensors.")
    return binary(table.FMAX, self, other, SAME, "maximum_cpu" if is_integral(self.dtype) else "fmax_cpu", NULL, out)


cdef TensorImpl fmin(TensorImpl self, TensorImpl other, TensorImpl out=None):
    if is_complex(self.dtype) or is_complex(other.dtype):
        raise RuntimeError("fmin not implemented for complex tensors.")
    return binary(table.FMIN, self, other, SAME, "minimum_cpu" if is_integral(self.dtype) else "fmin_cpu", NULL, out)


# ---- functions of two variables

cdef TensorImpl atan2(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.ATAN2, self, other, TO_FLOAT, "atan2_cpu", NULL, out)


cdef TensorImpl hypot(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.HYPOT, self, other, SAME, "hypot_cpu", NULL, out)


cdef TensorImpl copysign(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.COPYSIGN, self, other, TO_FLOAT, "copysign_cpu", NULL, out)


cdef TensorImpl nextafter(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.NEXTAFTER, self, other, SAME, "nextafter_cpu", NULL, out)


cdef TensorImpl logaddexp(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGADDEXP, self, other, SAME, "logaddexp_cpu", NULL, out)


cdef TensorImpl logaddexp2(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LOGADDEXP2, self, other, SAME, "logaddexp2_cpu", NULL, out)


cdef TensorImpl xlogy(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.XLOGY, self, other, TO_FLOAT, "xlogy_cpu", NULL, out)


# ---- integers

cdef TensorImpl gcd(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.GCD, self, other, SAME, "gcd_cpu", NULL, out)


cdef TensorImpl lcm(TensorImpl self, TensorImpl other, TensorImpl out=None):
    return binary(table.LCM, self, other, SAME, "lcm_cpu", NULL, out)
