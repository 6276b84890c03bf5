"""The element types, and which type two of them promote to.

References
----------
The promotion lattice is that of PyTorch's "Tensor Attributes / Type promotion" documentation page.
"""

import sys

cimport cython
cimport numpy as cnp
from cpython.object cimport PyTypeObject

from minitorch.core.dtype_names import WITHOUT_TENSORS, abbreviation

cdef list _by_code = [None] * NUM_SCALAR_TYPES
cdef dict _by_numpy_type = {}
cdef int _default_dtype = Float32

# code, name, the name error messages use, the C++ type, bytes, NumPy's number (-1: none)
_TABLE = [
    (UInt8, "uint8", "Byte", "unsigned char", 1, cnp.NPY_UINT8),
    (Int8, "int8", "Char", "signed char", 1, cnp.NPY_INT8),
    (Int16, "int16", "Short", "short int", 2, cnp.NPY_INT16),
    (Int32, "int32", "Int", "int", 4, cnp.NPY_INT32),
    (Int64, "int64", "Long", "long int", 8, cnp.NPY_INT64),
    (Float16, "float16", "Half", "c10::Half", 2, cnp.NPY_FLOAT16),
    (Float32, "float32", "Float", "float", 4, cnp.NPY_FLOAT32),
    (Float64, "float64", "Double", "double", 8, cnp.NPY_FLOAT64),
    (Complex64, "complex64", "ComplexFloat", "c10::complex<float>", 8, cnp.NPY_COMPLEX64),
    (Complex128, "complex128", "ComplexDouble", "c10::complex<double>", 16, cnp.NPY_COMPLEX128),
    (Bool, "bool", "Bool", "bool", 1, cnp.NPY_BOOL),
    (BFloat16, "bfloat16", "BFloat16", "c10::BFloat16", 2, -1),
    (UInt16, "uint16", "UInt16", "short unsigned int", 2, cnp.NPY_UINT16),
    (UInt32, "uint32", "UInt32", "unsigned int", 4, cnp.NPY_UINT32),
    (UInt64, "uint64", "UInt64", "long unsigned int", 8, cnp.NPY_UINT64),
    (Complex32, "complex32", "ComplexHalf", "c10::complex<c10::Half>", 4, -1),
    (Float8E5m2, "float8_e5m2", "Float8_e5m2", "c10::Float8_e5m2", 1, -1),
    (Float8E4m3fn, "float8_e4m3fn", "Float8_e4m3fn", "c10::Float8_e4m3fn", 1, -1),
    (Float8E5m2fnuz, "float8_e5m2fnuz", "Float8_e5m2fnuz", "c10::Float8_e5m2fnuz", 1, -1),
    (Float8E4m3fnuz, "float8_e4m3fnuz", "Float8_e4m3fnuz", "c10::Float8_e4m3fnuz", 1, -1),
    (Float8E8m0fnu, "float8_e8m0fnu", "Float8_e8m0fnu", "c10::Float8_e8m0fnu", 1, -1),
]

cdef dict _without_tensors = {}     # name: (dtype, bytes, kind); see dtype_names.py


@cython.binding(False)
cdef class dtype:
    """An element type, such as ``minitorch.float32``.

    There is one object for each type, so ``is`` compares them. PyTorch's counterpart is ``torch.dtype``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.float32
    torch.float32
    >>> torch.float32.itemsize, torch.float32.is_floating_point
    (4, True)
    """

    def __init__(self):
        raise TypeError("cannot create 'torch.dtype' instances")

    def __repr__(self):
        return "torch." + self._name

    def __reduce__(self):
        return _dtype_named, (self._name,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def itemsize(self):
        """Bytes of one element."""
        if self._code < 0:
            return _without_tensors[self._name][1]
        return itemsizes[self._code]

    @property
    def is_floating_point(self):
        """True if this is a real floating-point type."""
        if self._code < 0:
            return _without_tensors[self._name][2] == "floating"
        return bool(is_floating(self._code))

    @property
    def is_complex(self):
        """True if this is a complex type."""
        return bool(is_complex(self._code))

    @property
    def is_signed(self):
        """True if negative values exist in this type."""
        if self._code < 0:
            if _without_tensors[self._name][2] == "quantized":
                raise RuntimeError("isSignedType not supported for quantized types")
            if _without_tensors[self._name][2] == "bits":
                raise RuntimeError("Bits types are undefined")
            return _without_tensors[self._name][2] != "unsigned"
        return self._code not in (UInt8, UInt16, UInt32, UInt64, Bool, Float8E8m0fnu)

    @property
    def abbr(self):
        """A short name, such as ``"f32"``; the whole name if there is none."""
        return abbreviation(self._name)

    def to_real(self):
        """Return the type of a complex type's parts; any other type itself."""
        return self if self._code < 0 else dtype_of(to_real(self._code))

    def to_complex(self):
        """Return the complex type whose parts have this type."""
        if self._code not in (Float16, BFloat16, Float32, Float64, Complex32, Complex64, Complex128):
            raise RuntimeError(f"Unknown Complex ScalarType for {self._class_name}")
        return dtype_of(to_complex(self._code))


cdef void _register() except *:
    cdef dtype d
    for code, name, class_name_, c_name_, size, numpy_type in _TABLE:
        d = dtype.__new__(dtype)
        d._code = code
        d._name = name
        d._class_name = class_name_
        d._c_name = c_name_
        d._numpy_type = numpy_type
        _by_code[code] = d
        if numpy_type >= 0:
            _by_numpy_type[numpy_type] = code
        itemsizes[<int>code] = size
        numpy_types[<int>code] = numpy_type
    # C's types of equal width have several NumPy numbers (long and long long)
    for numpy_type in (cnp.NPY_BYTE, cnp.NPY_SHORT, cnp.NPY_INT, cnp.NPY_LONG, cnp.NPY_LONGLONG):
        d = _by_code[{1: Int8, 2: Int16, 4: Int32, 8: Int64}[
            cnp.PyArray_DescrFromType(numpy_type).itemsize]]
        _by_numpy_type.setdefault(numpy_type, d._code)
    for name, class_name_, c_name_, size, kind in WITHOUT_TENSORS:
        d = dtype.__new__(dtype)
        d._code = d._numpy_type = -1
        d._name = name
        d._class_name = class_name_
        d._c_name = c_name_
        _without_tensors[name] = d, size, kind


cnp.import_array()
_register()


cdef dtype dtype_of(int code):
    return <dtype>_by_code[code]


cdef str class_name(int code):
    return (<dtype>_by_code[code])._class_name


cdef str c_name(int code):
    return (<dtype>_by_code[code])._c_name


cdef int _ml_dtypes_bfloat16(object ml_dtypes):
    """Return the number under which this package has registered bfloat16 with NumPy."""
    return cnp.PyArray_DescrFromTypeObject(ml_dtypes.bfloat16).type_num


cdef int from_numpy_type(int numpy_type) except -1:
    code = _by_numpy_type.get(numpy_type)
    # an array of its bfloat16 exists only after the package was imported
    ml_dtypes = None if code is not None else sys.modules.get("ml_dtypes")
    if ml_dtypes is not None and numpy_type == _ml_dtypes_bfloat16(ml_dtypes):
        return BFloat16
    if code is None:
        name = (<object>cnp.PyArray_DescrFromType(numpy_type)).type.__name__
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{name}. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, "
            "uint32, uint16, uint8, and bool.")
    return code


cdef int to_numpy_type(int code) except -1:
    if numpy_types[code] >= 0:
        return numpy_types[code]
    try:
        import ml_dtypes
    except ImportError:
        ml_dtypes = None
    if ml_dtypes is None or code != BFloat16:
        raise TypeError(f"Got unsupported ScalarType {class_name(code)}")
    return _ml_dtypes_bfloat16(ml_dtypes)


cdef int promote_types(int a, int b) except -1:
    # The higher category wins (bool < integer < floating < complex), and inside a category the wider type. uint8 with
    # a signed type gives a signed type that holds both. float16 with bfloat16, neither of which holds the other, gives
    # float32. An 8-bit floating type promotes with no other type, a wide unsigned integer only with floating types.
    if a == b:
        return a
    if a == NoType:
        return b
    if b == NoType:
        return a
    if is_float8(a) or is_float8(b):
        return _no_promotion("Float8 Types", a, b)
    if is_wide_unsigned(a) or is_wide_unsigned(b):
        if is_floating(a) or is_floating(b):
            return a if is_floating(a) else b
        return _no_promotion("uint16, uint32, uint64 types", a, b)
    if is_complex(a) or is_complex(b):
        return to_complex(_promote_real(to_real(a), to_real(b)))
    return _promote_real(a, b)


cdef int _no_promotion(str kind, int a, int b) except -1:
    raise RuntimeError(f"Promotion for {kind} is not supported, attempted to promote {class_name(a)} "
                       f"and {class_name(b)}")


cdef int _promote_real(int a, int b) noexcept:
    cdef int low = a if a < b else b, high = b if a < b else a
    if high == low:
        return low
    if high == BFloat16:
        return Float32 if low == Float16 else low if is_floating(low) else BFloat16
    if high == Bool:
        return low
    if is_floating(high):
        return high                       # Float16 < Float32 < Float64, above every integer
    if low == UInt8:
        return Int16 if high == Int8 else high
    return high


cdef int get_default_dtype() noexcept:
    return _default_dtype


cdef int default_complex_dtype() noexcept:
    return to_complex(_default_dtype)


def _get_default_dtype():
    return dtype_of(_default_dtype)


def _set_default_dtype(d):
    global _default_dtype
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not is_floating((<dtype>d)._code):
        raise TypeError("only floating-point types are supported as the default type")
    if is_float8((<dtype>d)._code):
        raise TypeError(f"couldn't find storage object {(<dtype>d)._class_name}Storage")
    _default_dtype = (<dtype>d)._code


def _dtype_named(str name):
    """Return the dtype with this name; pickles call it."""
    return (_without_tensors[name][0] if name in _without_tensors else _dtypes()[name])


def _dtypes():
    """Return every type that tensors can have, by name."""
    return {(<dtype>d)._name: d for d in _by_code if d is not None}


def _dtypes_without_tensors():
    """Return the types that no tensor has, which are only names."""
    return {name: d for name, (d, _, _) in _without_tensors.items()}


cdef bytes _name_in_c = b""


def _name_class_in(str module):
    """Make ``type(d)`` print as ``<class 'module.dtype'>``: for a compiled class, `tp_name` determines that."""
    global _name_in_c
    cdef bytes name = f"{module}.dtype".encode()
    (<PyTypeObject*>dtype).tp_name = name
    _name_in_c = name                   # held as long as tp_name points into it


_name_class_in(__name__.partition(".")[0])
