"""Tensors from Python's data: nested lists, numbers, NumPy arrays, buffers, other tensors.

The way of a nested list: its shape is read off the first elements (`_sizes_of`), its dtype is that
of all elements (`_infer`), then each element is written to its place (`_store`).
"""

import warnings

cimport numpy as cnp
from cpython.bool cimport PyBool_Check
from cpython.complex cimport PyComplex_Check
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_AsDouble, PyFloat_Check, PyFloat_CheckExact
from cpython.long cimport PyLong_Check
from cpython.object cimport PyObject_IsTrue
from cpython.sequence cimport PySequence_Check, PySequence_Fast
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from minitorch.autograd.functions.options cimport check_device
from minitorch.autograd.functions.nodes cimport r_cast
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.dtype cimport (
    Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64, NoType, UInt8,
    default_complex_dtype, dtype, from_numpy_type, get_default_dtype, is_complex, is_differentiable,
    is_floating, itemsizes, promote_types)
from minitorch.core cimport interop
from minitorch.core.tensor_impl cimport (
    TensorImpl, alias, data, empty_tuple, is_contiguous, ndim, numel)
from minitorch.ops.copy cimport PRESERVE_FORMAT, cast, clone
from minitorch.ops.scalar cimport write_scalar

import operator

import numpy

from minitorch.core.arg_errors import bind
from minitorch.core.arg_types import type_name

cnp.import_array()

cdef enum:
    MAX_NESTING = 128


# ---- shape and dtype of nested sequences

cdef bint _is_sequence(object x) noexcept:
    return PySequence_Check(x) and not isinstance(x, TensorBase)


cdef list _sizes_of(object x):
    cdef list sizes = []
    while _is_sequence(x):
        n = len(x)
        sizes.append(n)
        if len(sizes) > MAX_NESTING:
            raise ValueError(f"too many dimensions '{type(x).__name__}'")
        if n == 0:
            break
        inner = x[0]
        if inner is x and not isinstance(x, str):
            raise TypeError("new(): self-referential lists are incompatible")
        x = inner
    return sizes


cdef int _infer(object x) except -1:
    cdef int code = NoType
    if PyFloat_CheckExact(x):
        return get_default_dtype()
    if PyBool_Check(x):
        return Bool
    if PyLong_Check(x):
        return Int64
    if isinstance(x, TensorBase):
        return (<TensorBase>x).impl.dtype
    if isinstance(x, numpy.generic) and not isinstance(x, (numpy.str_, numpy.bytes_)):
        return from_numpy_type((<cnp.dtype>x.dtype).type_num)
    if isinstance(x, numpy.ndarray):
        return from_numpy_type((<cnp.dtype>x.dtype).type_num)
    if PyFloat_Check(x):
        return get_default_dtype()
    if PyComplex_Check(x):
        return default_complex_dtype()
    if isinstance(x, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(x).__name__}'")
    if not _is_sequence(x):
        raise RuntimeError(f"Could not infer dtype of {type_name(x)}")
    if len(x) == 0:
        return get_default_dtype()
    for item in x:
        if item is x:
            raise TypeError("new(): self-referential lists are incompatible")
        code = promote_types(code, _infer(item))
        if code == Complex128:
            break
    return code


# ---- writing elements

cdef int64_t _as_int(object x) except? -1:
    if isinstance(x, TensorBase):
        x = x.item()
    if isinstance(x, (float, numpy.floating)):
        x = int(x)
    try:
        return operator.index(x)
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None


cdef double _as_double(object x) except? -1:
    if PyFloat_CheckExact(x):
        return PyFloat_AS_DOUBLE(x)
    if isinstance(x, TensorBase):
        return float(x)
    return PyFloat_AsDouble(x)


cdef int _narrow(int64_t value, int64_t low, int64_t high, str name) except -1:
    if value < low or value > high:
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return 0


cdef int _store_element(object x, int code, char* p) except -1:
    cdef int64_t integer
    cdef double complex z
    if code == Float32:
        (<float*>p)[0] = <float>_as_double(x)
    elif code == Float64:
        (<double*>p)[0] = _as_double(x)
    elif code == Bool:
        (<uint8_t*>p)[0] = PyObject_IsTrue(x)
    elif is_complex(code):
        z = x.item() if isinstance(x, TensorBase) else x
        if code == Complex64:
            (<float complex*>p)[0] = <float complex>z
        else:
            (<double complex*>p)[0] = z
    elif is_floating(code):
        _store_half(_as_double(x), p)
    else:
        integer = _as_int(x)
        if code == Int64:
            (<int64_t*>p)[0] = integer
        elif code == UInt8:
            _narrow(integer, -255, 255, "uint8")
            (<uint8_t*>p)[0] = <uint8_t>integer
        elif code == Int8:
            _narrow(integer, -128, 127, "int8")
            (<int8_t*>p)[0] = <int8_t>integer
        elif code == Int16:
            _narrow(integer, -32768, 32767, "int16")
            (<int16_t*>p)[0] = <int16_t>integer
        else:
            _narrow(integer, -2147483648, 2147483647, "int32")
            (<int32_t*>p)[0] = <int32_t>integer
    return 0


cdef int _store_half(double x, char* p) except -1:
    # what float16 cannot hold becomes infinite here, and is an error of write_scalar
    if x - x == 0 and not -65519.996 < x < 65519.996:
        x = float("inf") if x > 0 else float("-inf")
    write_scalar(min(max(x, -65504.0), 65504.0) if x - x == 0 else x, Float16, p)
    return 0


cdef char* _store(object x, list sizes, Py_ssize_t depth, int code, char* p) except NULL:
    """Write `x`, row after row, and return where the next element goes."""
    cdef Py_ssize_t n, k
    if depth == len(sizes):
        _store_element(x, code, p)
        return p + itemsizes[code]
    if not isinstance(x, (list, tuple)):
        try:
            x = list(x)
        except TypeError:
            raise TypeError("not a sequence") from None
    n = sizes[depth]
    if len(x) != n:
        raise ValueError(f"expected sequence of length {n} at dim {depth} (got {len(x)})")
    depth += 1
    if depth == len(sizes) and code == Float32:
        for k in range(n):
            (<float*>p)[0] = <float>_as_double(x[k])
            p += 4
        return p
    for k in range(n):
        p = _store(x[k], sizes, depth, code, p)
    return p


# ---- the constructors' common part

cdef TensorImpl _from_sequence(object x, int code):
    cdef list sizes = _sizes_of(x)
    cdef TensorImpl result
    cdef int inferred
    if sizes and isinstance(x, (list, tuple)) and sizes[0] and isinstance(x[0], numpy.ndarray):
        warnings.warn(
            "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
            "converting the list to a single numpy.ndarray with numpy.array() before converting to a "
            "tensor.", UserWarning, stacklevel=1)
    if code == NoType:
        code = _infer(x)
    result = empty_tuple(tuple(sizes), code)
    if numel(result):
        _store(x, sizes, 0, code, data(result))
    return result


cdef TensorImpl _from_array(object array, int code, bint copy):
    cdef TensorImpl impl = interop.from_numpy(array, False) if copy else interop.from_numpy(array)
    if code != NoType and code != impl.dtype:
        return cast(impl, code)
    return clone(impl, PRESERVE_FORMAT) if copy else impl


cdef TensorImpl _from_anything(object x, int code, bint copy):
    """`copy`: the result shares no memory with `x`."""
    if isinstance(x, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(x).__name__}'")
    if isinstance(x, numpy.ndarray):
        return _from_array(x, code, copy)
    if isinstance(x, numpy.generic) and code == NoType:
        code = _infer(x)
    return _from_sequence(x, code)


cdef TensorBase _leaf(TensorImpl impl, bint requires_grad):
    cdef TensorBase result
    if requires_grad and not is_differentiable(impl.dtype):
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    result = make_tensor(impl)
    result._requires_grad = requires_grad
    return result


cdef int _code(object d) except -1:
    return NoType if d is None else (<dtype?>d)._code


cdef list _TENSOR = ["tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, "
                     "bool pin_memory=False, bool requires_grad=False)"]
cdef list _NEW_TENSOR = ["new_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, "
                         "bool requires_grad=False)"]
cdef list _AS_TENSOR = ["as_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None)"]
cdef list _FROMBUFFER = ["frombuffer(PyObject* buffer, *, ScalarType dtype, int64_t count=-1, "
                         "int64_t offset=0, bool requires_grad=False)"]


cdef TensorImpl _copied(object x, int code, str name):
    """The data of torch.tensor() and new_tensor()."""
    cdef TensorImpl impl
    if not isinstance(x, TensorBase):
        return _from_anything(x, code, True)
    warnings.warn(
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {name}(sourceTensor).",
        UserWarning, stacklevel=1)
    impl = (<TensorBase>x).impl
    if code != NoType and code != impl.dtype:
        return cast(impl, code)
    return clone(impl, PRESERVE_FORMAT)


def tensor(*args, **kwargs):
    """tensor(data, dtype=None, device=None, requires_grad=False): a tensor with a copy of the data.

    Parameters
    ----------
    data : number, nested sequence of numbers, ndarray or Tensor
    dtype : dtype, optional
        Default: what the data are; Python's floats get the default dtype.
    device : device or str, optional
    requires_grad : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    cdef bint requires_grad = False
    if len(args) == 1 and not kwargs:
        return _leaf(_copied(args[0], NoType, "torch.tensor"), False)
    _, (x, d, device, pin_memory, requires_grad) = bind(_TENSOR, args, kwargs, name="tensor")
    check_device(device)
    if pin_memory:
        raise RuntimeError("pin_memory=True requires a CUDA or other accelerator backend; no pinned "
                           "memory allocator is available on this system.")
    return _leaf(_copied(x, _code(d), "torch.tensor"), requires_grad)


def new_tensor(self, *args, **kwargs):
    """A tensor with a copy of the data, of this tensor's dtype unless `dtype` is given."""
    cdef TensorBase base = <TensorBase?>self
    _, (x, d, device, requires_grad) = bind(_NEW_TENSOR, args, kwargs, name="new_tensor")
    check_device(device)
    return _leaf(_copied(x, base.impl.dtype if d is None else _code(d), "tensor.new_tensor"),
                 requires_grad)


def as_tensor(*args, **kwargs):
    """as_tensor(data, dtype=None, device=None): a tensor that shares the data's memory if it can."""
    cdef int code
    _, (x, d, device) = bind(_AS_TENSOR, args, kwargs, name="as_tensor")
    check_device(device)
    code = _code(d)
    if isinstance(x, TensorBase):
        if code == NoType or code == (<TensorBase>x).impl.dtype:
            return x
        return r_cast(<TensorBase>x, code)
    return make_tensor(_from_anything(x, code, False))


def from_numpy(array):
    """A tensor that shares the memory of a NumPy array."""
    return make_tensor(interop.from_numpy(array))


def frombuffer(*args, **kwargs):
    """frombuffer(buffer, dtype, count=-1, offset=0, requires_grad=False): shares a buffer's memory."""
    _, (buffer, d, count, offset, requires_grad) = bind(_FROMBUFFER, args, kwargs, name="frombuffer")
    return _leaf(interop.frombuffer(buffer, _code(d), count, offset), requires_grad)


cdef list _ASARRAY = ["asarray(PyObject* obj, *, ScalarType? dtype=None, Device? device=None, "
                      "bool? copy=None, bool? requires_grad=None)"]
