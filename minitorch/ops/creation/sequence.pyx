"""Nested sequences to tensors, in PyTorch's three passes: sizes, dtype, elements.

The passes are separate because each raises errors of its own, whose order is visible. The sizes come from the
first element of each level only, the dtype from all elements. A ragged level is found while storing.
"""


import numpy

cimport numpy as cnp
from cpython.bytes cimport PyBytes_Check
from cpython.complex cimport Py_complex, PyComplex_Check
from cpython.float cimport PyFloat_AsDouble, PyFloat_Check
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_AsUnsignedLongLong, PyLong_Check
from cpython.object cimport PyObject
from cpython.sequence cimport PySequence_Check, PySequence_GetItem, PySequence_Length
from cpython.unicode cimport PyUnicode_Check
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

from minitorch.core.class_names import type_name
from minitorch.core.error_pages import explained
from minitorch.core.once import warn_once
from minitorch.core.dlpack cimport from_dlpack
from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex32, Complex64, Complex128, Float16, Float32, Float64, Int16, Int32, Int64, NoType,
    UInt16, UInt32, UInt64, default_complex_dtype, dtype_of, from_numpy_type, get_default_dtype, is_floating,
    is_integral, itemsizes, promote_types)
from minitorch.core.interop cimport from_numpy
from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl, data as data_of, empty, numel, strides
from minitorch.kernels.common.half cimport bfloat16_t, half_t, store_float
from minitorch.kernels.common.cast cimport cast_kernel
from minitorch.kernels.common.table cimport Kernel
from minitorch.ops.common.copy cimport cast, clone

cnp.import_array()

cdef extern from "Python.h":
    Py_complex PyComplex_AsCComplex(object) except *
    object PySequence_Fast(object, const char*)
    PyObject** PySequence_Fast_ITEMS(object)
    Py_ssize_t PySequence_Fast_GET_SIZE(object)
    int Py_EnterRecursiveCall(const char*)                 # 1, or -1 after raising
    void Py_LeaveRecursiveCall()

cdef frozenset _PLAIN = frozenset((list, tuple, float, int, bool))


# ---- sizes

cdef int _sizes(object value, Py_ssize_t* out, ImplOf impl_of) except -1:
    """Store the length of `value`, of its first element, and so on; return their number."""
    cdef int n = 0
    cdef Py_ssize_t length
    while PySequence_Check(value) and impl_of(value) is None:
        length = PySequence_Length(value)
        if n == MAX_DIMS:
            raise ValueError(f"too many dimensions '{type_name(value)}'")
        out[n] = length
        n += 1
        if length == 0:
            break
        try:
            value = PySequence_GetItem(value, 0)
        except Exception:
            raise ValueError(
                f"could not determine the shape of object type '{type_name(value)}'") from None
    return n


# ---- dtype

cdef int infer_scalar_type(object data, ImplOf impl_of) except -1:
    cdef TensorImpl tensor
    cdef type kind = type(data)
    # the common types first; subclasses, such as numpy.float64 of float, are handled below
    if kind is float:
        return get_default_dtype()
    if kind is int:
        return Int64
    if kind is bool:
        return Bool
    if kind is list or kind is tuple:
        return _infer_from_elements(data, impl_of)
    if cnp.PyArray_Check(data):
        return from_numpy_type(cnp.PyArray_TYPE(data))
    if cnp.PyArray_CheckScalar(data):
        return from_numpy_type(cnp.PyArray_DescrFromScalar(data).type_num)
    if PyUnicode_Check(data) or PyBytes_Check(data):
        raise TypeError(f"new(): invalid data type '{type_name(data)}'")
    tensor = impl_of(data)
    if tensor is not None:
        return tensor.dtype
    if PyFloat_Check(data):
        return get_default_dtype()
    if PyLong_Check(data):
        return Int64
    if PyComplex_Check(data):
        return default_complex_dtype()
    if PySequence_Check(data):
        return _infer_from_elements(data, impl_of)
    raise RuntimeError(f"Could not infer dtype of {type_name(data)}")


cdef int _enter_recursive_call() except -1:
    return -1 if Py_EnterRecursiveCall(" while inferring a dtype") != 0 else 0


cdef int _infer_from_elements(object data, ImplOf impl_of) except -1:
    cdef int result = NoType
    cdef Py_ssize_t k
    # lists may contain each other recursively
    _enter_recursive_call()
    try:
        for k in range(PySequence_Length(data)):
            item = PySequence_GetItem(data, k)
            if item is data:
                raise TypeError("new(): self-referential lists are incompatible")
            result = promote_types(infer_scalar_type(item, impl_of), result)
            if result == Complex128:
                break
    finally:
        Py_LeaveRecursiveCall()
    return get_default_dtype() if result == NoType else result


# ---- elements

# indexed by ScalarType from UInt8 to Int64, followed by UInt16 and UInt32
cdef double[7] _low
cdef double[7] _high
_low[:] = [0, -128, -32768, -2147483648, -9223372036854775808, 0, 0]
_high[:] = [255, 127, 32767, 2147483647, 9223372036854775807, 65535, 4294967295]


cdef int _store_integer(char* out, int dtype, object value) except -1:
    cdef long long number
    cdef double real
    cdef int overflow = 0, row = dtype if dtype <= Int64 else dtype - UInt16 + 5
    cdef bint fits
    if dtype == UInt64:
        if isinstance(value, numpy.integer):
            value = int(value)
        (<uint64_t*>out)[0] = PyLong_AsUnsignedLongLong(value)
        return 0
    if PyFloat_Check(value):
        real = PyFloat_AsDouble(value)
        fits = _low[row] <= real <= _high[row]
        # as in PyTorch, 2**63 passes this test, because the largest int64 is not a double; it wraps around
        if fits and real < _high[<int>Int64]:
            number = <long long>real
        else:
            number = <long long>(<unsigned long long>1 << 63)
    else:
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            raise ValueError("Overflow when unpacking long long")
        # an unsigned type accepts -n for every n that fits, and wraps around
        fits = <long long>(_low[row] if _low[row] else -_high[row]) <= number
        if dtype != Int64:
            fits = fits and number <= <long long>_high[row]
    if not fits:
        raise RuntimeError(
            f"value cannot be converted to type {dtype_of(dtype)._name} without overflow")
    if dtype == Int64:
        (<int64_t*>out)[0] = number
    elif dtype == Int32 or dtype == UInt32:
        (<int32_t*>out)[0] = <int32_t>number
    elif dtype == Int16 or dtype == UInt16:
        (<int16_t*>out)[0] = <int16_t>number
    else:
        (<int8_t*>out)[0] = <int8_t>number
    return 0


cdef bint _truth(object value) except -1:
    cdef int overflow = 0
    cdef long long number
    if PyFloat_Check(value) or PyComplex_Check(value) or isinstance(value, numpy.bool_):
        return True if value else False
    number = PyLong_AsLongLongAndOverflow(value, &overflow)
    return overflow != 0 or number != 0


cdef void _store_carried(char* out, int dtype, double real, double imag) noexcept:
    """Store a complex32 or an 8-bit floating-point number."""
    cdef double[2] parts
    cdef char* args[2]
    cdef Py_ssize_t[2] steps
    cdef Py_ssize_t n = 1
    cdef Kernel* kernel = cast_kernel(Complex128, dtype)
    parts[0], parts[1] = real, imag
    args[0], args[1] = <char*>parts, out
    steps[0] = steps[1] = 16
    kernel.loop(args, &n, steps, kernel.data)


cdef int store_scalar(char* out, int dtype, object value) except -1:
    cdef Py_complex number
    if dtype == Float32:
        (<float*>out)[0] = <float>PyFloat_AsDouble(value)
    elif is_integral(dtype):
        _store_integer(out, dtype, value)
    elif dtype == Float64:
        (<double*>out)[0] = PyFloat_AsDouble(value)
    elif dtype == Bool:
        (<uint8_t*>out)[0] = _truth(value)
    elif dtype == Float16:
        store_float(<half_t*>out, <float>PyFloat_AsDouble(value))
    elif dtype == BFloat16:
        store_float(<bfloat16_t*>out, <float>PyFloat_AsDouble(value))
    elif is_floating(dtype):
        _store_carried(out, dtype, PyFloat_AsDouble(value), 0)
    else:
        number = PyComplex_AsCComplex(value)
        if dtype == Complex64:
            (<float*>out)[0] = <float>number.real
            (<float*>out)[1] = <float>number.imag
        elif dtype == Complex32:
            _store_carried(out, dtype, number.real, number.imag)
        else:
            (<double*>out)[0] = number.real
            (<double*>out)[1] = number.imag
    return 0


cdef int _store(char* out, int dtype, object value, int d, int ndim, const Py_ssize_t* n,
                const Py_ssize_t* step) except -1:
    """Store `value`, an entry at nesting depth d; `step` is in bytes."""
    cdef Py_ssize_t k
    cdef object row
    if d == ndim:
        return store_scalar(out, dtype, value)
    row = PySequence_Fast(value, "not a sequence")
    if PySequence_Fast_GET_SIZE(row) != n[d]:
        raise explained(ValueError(
            f"expected sequence of length {n[d]} at dim {d} "
            f"(got {PySequence_Fast_GET_SIZE(row)})"), "ragged-lists")
    if n[d] and cnp.PyArray_Check(<object>PySequence_Fast_ITEMS(row)[0]):
        warn_once(
            "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
            "converting the list to a single numpy.ndarray with numpy.array() before converting to "
            "a tensor.")
    for k in range(n[d]):
        # the __float__ method of an element may have changed the list
        if k >= PySequence_Fast_GET_SIZE(row):
            raise explained(ValueError(f"expected sequence of length {n[d]} at dim {d} (got {k})"), "ragged-lists")
        item = <object>PySequence_Fast_ITEMS(row)[k]
        _store(out + k * step[d], dtype, item, d + 1, ndim, n, step)
    return 0


cdef TensorImpl tensor_from_data(object data, ImplOf impl_of, int dtype=NoType):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] step
    cdef int ndim, d
    cdef TensorImpl result
    if PyUnicode_Check(data) or PyBytes_Check(data):
        raise TypeError(f"new(): invalid data type '{type_name(data)}'")
    if cnp.PyArray_Check(data):
        result = from_numpy(data, False)
        return clone(result) if dtype == NoType or dtype == result.dtype else cast(result, dtype)
    if type(data) not in _PLAIN and hasattr(data, "__dlpack__"):
        result = from_dlpack(data, None)[0]
        return clone(result) if dtype == NoType or dtype == result.dtype else cast(result, dtype)
    ndim = _sizes(data, n, impl_of)
    if dtype == NoType:
        dtype = infer_scalar_type(data, impl_of)
    result = empty(ndim, n, dtype)
    for d in range(ndim):
        step[d] = strides(result)[d] * itemsizes[dtype]
    if numel(result):
        _store(data_of(result), dtype, data, 0, ndim, n, step)
    return result
