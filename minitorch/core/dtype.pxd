# The element types. A `ScalarType` is PyTorch's own number for a type (c10/core/ScalarType.h), so
# that tables, pickles and error messages agree; `dtype` is the Python object that stands for it.

cdef enum ScalarType:
    UInt8 = 0
    Int8 = 1
    Int16 = 2
    Int32 = 3
    Int64 = 4
    Float16 = 5
    Float32 = 6
    Float64 = 7
    Complex32 = 8
    Complex64 = 9
    Complex128 = 10
    Bool = 11
    BFloat16 = 15
    NoType = 16         # no dtype was given
    Float8E8m0fnu = 22  # PyTorch's number is 44; here the 8-bit floating types have consecutive numbers
    Float8E5m2 = 23
    Float8E4m3fn = 24
    Float8E5m2fnuz = 25
    Float8E4m3fnuz = 26
    UInt16 = 27
    UInt32 = 28
    UInt64 = 29
    NUM_SCALAR_TYPES = 30

cdef class dtype:
    cdef readonly str _name            # "float32"
    cdef readonly str _class_name      # "Float": the name error messages use
    cdef readonly str _c_name          # "float": the name of the C++ type, which some of them use
    cdef readonly int _code            # its ScalarType
    cdef readonly int _numpy_type      # NPY_FLOAT32, ...; -1 when NumPy itself has none

# indexed by ScalarType
cdef Py_ssize_t[NUM_SCALAR_TYPES] itemsizes
cdef int[NUM_SCALAR_TYPES] numpy_types

cdef dtype dtype_of(int code)                    # the Python object of a ScalarType
# PyTorch's lattice; RuntimeError for an 8-bit floating type or a wide unsigned integer that has no common type
cdef int promote_types(int a, int b) except -1
cdef int from_numpy_type(int numpy_type) except -1    # TypeError if PyTorch has no such type
cdef int to_numpy_type(int code) except -1            # TypeError if NumPy has no such type
cdef int get_default_dtype() noexcept            # Float32 unless set_default_dtype was called
cdef int default_complex_dtype() noexcept        # the complex type of the same precision
cdef str class_name(int code)                    # "Float"
cdef str c_name(int code)                        # "float"

cdef inline bint is_floating(int code) noexcept nogil:
    return (code == Float32 or code == Float64 or code == Float16 or code == BFloat16
            or is_float8(code))

cdef inline bint has_float_kernels(int code) noexcept nogil:
    """Return whether it is a floating type with arithmetic; 8-bit ones are only stored and converted."""
    return code == Float32 or code == Float64 or code == Float16 or code == BFloat16

cdef inline bint is_float8(int code) noexcept nogil:
    return Float8E8m0fnu <= code <= Float8E4m3fnuz

cdef inline bint is_wide_unsigned(int code) noexcept nogil:
    """Return whether it is uint16, uint32 or uint64, which have little arithmetic and promote to no other integer."""
    return code >= UInt16

cdef inline bint is_reduced_floating(int code) noexcept nogil:
    """Return whether it is a 16-bit floating type, whose arithmetic is that of float32, rounded."""
    return code == Float16 or code == BFloat16

cdef inline bint is_complex(int code) noexcept nogil:
    return code == Complex64 or code == Complex128 or code == Complex32

cdef inline bint is_differentiable(int code) noexcept nogil:
    return is_floating(code) or is_complex(code)

cdef inline int carrier_of(int code) noexcept nogil:
    """Return the type that computes for a type without arithmetic: complex64 for complex32, float32 for 8-bit ones."""
    return Complex64 if code == Complex32 else Float32 if is_float8(code) else code

cdef inline bint is_integral(int code) noexcept nogil:
    """Return whether it is a signed or unsigned integer type; bool does not count."""
    return code <= Int64 or is_wide_unsigned(code)

cdef inline int to_real(int code) noexcept nogil:
    """Return the type of the parts of a complex number; any other type itself."""
    return (Float32 if code == Complex64 else Float64 if code == Complex128
            else Float16 if code == Complex32 else code)

cdef inline int to_complex(int code) noexcept nogil:
    """Return the complex type whose parts have this type.

    8-bit types have none and give complex64, since `promote_types` has already raised for them.
    """
    return (Complex128 if code == Float64 or code == Complex128
            else Complex32 if code == Float16 or code == Complex32 else Complex64)
