"""Conversion of Python numbers to elements and of elements to Python numbers.

Invariant: a number that the dtype cannot hold raises before anything is written. As in PyTorch, infinity and nan
fit every floating-point dtype, any number fits Bool, and a negative number fits an unsigned dtype (it wraps
around) if its absolute value does.
"""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.long cimport PyLong_AsUnsignedLongLong
from cpython.ref cimport Py_INCREF
from libc.math cimport fabs, isinf, isnan
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from minitorch.core.dtype cimport (
    NUM_SCALAR_TYPES, Bool, Complex128, Complex32, Complex64, Float32, Float64, Float8E8m0fnu, Int16,
    Int32, Int64, Int8, UInt16, UInt32, UInt64, UInt8, c_name, has_float_kernels, is_complex, is_floating,
    is_reduced_floating, is_wide_unsigned, itemsizes)
from minitorch.core.tensor_impl cimport TensorImpl, data, empty, ndim, numel, sizes, strides
from minitorch.kernels.common.cast cimport cast_kernel

from minitorch.core.error_pages import explained

# the names of dtypes in error messages, where they differ from `c_name`
cdef dict _C_NAMES = {UInt8: "uint8_t", Int8: "int8_t", Int16: "int16_t", Int64: "int64_t", UInt16: "uint16_t",
                      UInt32: "uint32_t", UInt64: "uint64_t", Complex32: "c10::complex<float>"}
# the largest value of each ScalarType; larger numbers become infinite in complex32
cdef double[NUM_SCALAR_TYPES] _largest
_largest[:] = [255, 127, 32767, 2147483647, 9223372036854775807, 65504, 3.4028234663852886e38,
               1.7976931348623157e308, 3.4028234663852886e38, 3.4028234663852886e38, 1.7976931348623157e308, 1, 0, 0,
               0, 3.3895313892515355e38, 0, 0, 0, 0, 0, 0, 2.0**127, 57344, 448, 57344, 240, 65535, 4294967295,
               18446744073709551615]


cdef int _overflow(int dtype) except -1:
    raise RuntimeError(f"value cannot be converted to type {_C_NAMES.get(dtype) or c_name(dtype)} without overflow")


cdef inline int _check_floating(double value, int dtype) except -1:
    if fabs(value) > _largest[dtype] and not isinf(value) or dtype == Float8E8m0fnu and value < 2.0**-127:
        _overflow(dtype)
    return 0


cdef int _convert(const void* value, int from_dtype, int dtype, void* out) except -1:
    cdef char* args[2]
    cdef Py_ssize_t n = 1
    cdef Py_ssize_t[2] steps
    args[0] = <char*>value
    args[1] = <char*>out
    steps[0] = steps[1] = 16
    kernel = cast_kernel(from_dtype, dtype)
    kernel.loop(args, &n, steps, kernel.data)
    return 0


cdef int _write_int(object value, int dtype, void* out) except -1:
    cdef int64_t number = 0
    cdef double real
    cdef bint large = False
    try:
        number = value
    except OverflowError:
        PyLong_AsUnsignedLongLong(value)        # raises the OverflowError if it does not fit
        large = True
    if dtype == Bool:
        (<uint8_t*>out)[0] = value != 0
        return 0
    if is_floating(dtype) or is_complex(dtype):
        real = float(value)
        if dtype != Float8E8m0fnu:      # an integer loses its sign in this dtype
            _check_floating(real, dtype)
        return _convert(&real, Float64, dtype, out)
    if large:
        if dtype != UInt64:
            _overflow(dtype)
        (<uint64_t*>out)[0] = value
    elif dtype == UInt8 or dtype == UInt16 or dtype == UInt32:
        # -n wraps around for every n that fits
        if number > <int64_t>_largest[dtype] or number < -<int64_t>_largest[dtype]:
            _overflow(dtype)
        if dtype == UInt8:
            (<uint8_t*>out)[0] = <uint8_t>number
        elif dtype == UInt16:
            (<uint16_t*>out)[0] = <uint16_t>number
        else:
            (<uint32_t*>out)[0] = <uint32_t>number
    elif dtype == Int8:
        if number != <int8_t>number:
            _overflow(dtype)
        (<int8_t*>out)[0] = <int8_t>number
    elif dtype == Int16:
        if number != <int16_t>number:
            _overflow(dtype)
        (<int16_t*>out)[0] = <int16_t>number
    elif dtype == Int32:
        if number != <int32_t>number:
            _overflow(dtype)
        (<int32_t*>out)[0] = <int32_t>number
    else:
        (<int64_t*>out)[0] = number
    return 0


cdef int _write_float(double value, int dtype, void* out) except -1:
    if dtype == Float32:
        _check_floating(value, dtype)
        (<float*>out)[0] = <float>value
    elif dtype == Float64:
        (<double*>out)[0] = value
    elif dtype == Bool:
        (<uint8_t*>out)[0] = value != 0
    elif is_floating(dtype) or is_complex(dtype):
        _check_floating(value, dtype)
        _convert(&value, Float64, dtype, out)
    else:
        if isnan(value) or value > _largest[dtype] or value < (
                0 if dtype == UInt8 or is_wide_unsigned(dtype) else -_largest[dtype] - 1):
            _overflow(dtype)
        if dtype == Int64 and value >= 9223372036854775808.0:
            _overflow(dtype)
        _convert(&value, Float64, dtype, out)
    return 0


cdef int write_scalar(object value, int dtype, void* out) except -1:
    cdef double[2] parts
    if type(value) is float:
        return _write_float(value, dtype, out)
    if isinstance(value, int):
        return _write_int(value, dtype, out)
    if isinstance(value, complex):
        parts[0] = value.real
        parts[1] = value.imag
        if is_complex(dtype):
            _check_floating(parts[0], dtype)
            _check_floating(parts[1], dtype)
            return _convert(parts, Complex128, dtype, out)
        if dtype == Bool:
            (<uint8_t*>out)[0] = parts[0] != 0 or parts[1] != 0
            return 0
        if parts[1] != 0:
            _overflow(dtype)
        return _write_float(parts[0], dtype, out)
    if hasattr(value, "__index__"):
        return _write_int(value.__index__(), dtype, out)
    return _write_float(float(value), dtype, out)


cdef object read_scalar(const char* p, int dtype):
    cdef double[2] parts
    if dtype == Float32:
        return <double>(<const float*>p)[0]
    if dtype == Float64:
        return (<const double*>p)[0]
    if dtype == Int64:
        return (<const int64_t*>p)[0]
    if dtype == Bool:
        return (<const uint8_t*>p)[0] != 0
    if dtype == UInt8:
        return (<const uint8_t*>p)[0]
    if dtype == Int8:
        return (<const int8_t*>p)[0]
    if dtype == Int16:
        return (<const int16_t*>p)[0]
    if dtype == Int32:
        return (<const int32_t*>p)[0]
    if dtype == UInt16:
        return (<const uint16_t*>p)[0]
    if dtype == UInt32:
        return (<const uint32_t*>p)[0]
    if dtype == UInt64:
        return (<const uint64_t*>p)[0]
    if dtype == Complex64:
        return complex((<const float*>p)[0], (<const float*>p)[1])
    if dtype == Complex128:
        return complex((<const double*>p)[0], (<const double*>p)[1])
    if dtype == Complex32:
        _convert(p, dtype, Complex128, parts)
        return complex(parts[0], parts[1])
    _convert(p, dtype, Float64, parts)
    return parts[0]


cdef object number_for(object value, int dtype):
    if not isinstance(value, complex) or is_complex(dtype):
        return value
    if value.imag != 0:
        _overflow(Float32 if is_reduced_floating(dtype) else dtype)
    return value.real


cdef double parameter_for(object value, int dtype) except? -1.0:
    if isinstance(value, complex):
        return number_for(value, dtype) if has_float_kernels(dtype) else 0
    return value


cdef TensorImpl scalar_tensor(object value, int dtype):
    cdef TensorImpl result = empty(0, NULL, dtype)
    write_scalar(value, dtype, data(result))
    return result


cdef object item(TensorImpl self):
    if numel(self) != 1:
        raise explained(RuntimeError(
            f"a Tensor with {numel(self)} elements cannot be converted to Scalar"), "item-of-several")
    return read_scalar(data(self), self.dtype)


cdef object _tolist(const char* p, int dims, const Py_ssize_t* n, const Py_ssize_t* s, int dtype):
    cdef Py_ssize_t i, step = s[0] * itemsizes[dtype]
    # Allocate the whole list at once: if it does not fit in memory, the error comes before memory is used up.
    cdef list result = PyList_New(n[0])
    cdef object value
    for i in range(n[0]):
        value = (read_scalar(p + i * step, dtype) if dims == 1 else
                 _tolist(p + i * step, dims - 1, n + 1, s + 1, dtype))
        Py_INCREF(value)
        PyList_SET_ITEM(result, i, value)
    return result


cdef object tolist(TensorImpl self):
    if ndim(self) == 0:
        return read_scalar(data(self), self.dtype)
    return _tolist(data(self), ndim(self), sizes(self), strides(self), self.dtype)
