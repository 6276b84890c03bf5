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
    NoType = 16         # "not given"
    Float8E8m0fnu = 22  # PyTorch's is 44; here the numbers of 8 bits are one range
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
# PyTorch's lattice; RuntimeError for types of 8 bits and unsigned ones that it knows no common type of
cdef int promote_types(int a, int b) except -1
cdef int from_numpy_type(int numpy_type) except -1    # TypeError when PyTorch has none
cdef int to_numpy_type(int code) except -1            # TypeError when NumPy has none
cdef int get_default_dtype() noexcept            # Float32 unless set_default_dtype was called
cdef int default_complex_dtype() noexcept        # the complex type of the same precision
cdef str class_name(int code)                    # "Float"
cdef str c_name(int code)                        # "float"

cdef inline bint is_floating(int code) noexcept nogil:
    return (code == Float32 or code == Float64 or code == Float16 or code == BFloat16
            or is_float8(code))

cdef inline bint has_float_kernels(int code) noexcept nogil:
    """The floating types but those of 8 bits, which are stored and converted only."""
    return code == Float32 or code == Float64 or code == Float16 or code == BFloat16

cdef inline bint is_float8(int code) noexcept nogil:
    return Float8E8m0fnu <= code <= Float8E4m3fnuz

cdef inline bint is_wide_unsigned(int code) noexcept nogil:
    """uint16, uint32 and uint64, which have little arithmetic and are promoted to no other integer."""
    return code >= UInt16

cdef inline bint is_reduced_floating(int code) noexcept nogil:
    """The types of 16 bits, whose arithmetic is float32's, rounded."""
    return code == Float16 or code == BFloat16

cdef inline bint is_complex(int code) noexcept nogil:
    return code == Complex64 or code == Complex128 or code == Complex32

cdef inline bint is_differentiable(int code) noexcept nogil:
    return is_floating(code) or is_complex(code)

cdef inline int carrier_of(int code) noexcept nogil:
    """What arithmetic on it is done in where it has none of its own: complex64 for complex32, float32 for 8 bits."""
    return Complex64 if code == Complex32 else Float32 if is_float8(code) else code

cdef inline bint is_integral(int code) noexcept nogil:
    """The signed and the unsigned ones, without bool."""
    return code <= Int64 or is_wide_unsigned(code)

cdef inline int to_real(int code) noexcept nogil:
    """The type of the parts of a complex number; any other type is its own."""
    return (Float32 if code == Complex64 else Float64 if code == Complex128
            else Float16 if code == Complex32 else code)

cdef inline int to_complex(int code) noexcept nogil:
    """For the types of 8 bits, which have none, complex64: `promote_types` has refused them."""
    return (Complex128 if code == Float64 or code == Complex128
            else Complex32 if code == Float16 or code == Complex32 else Complex64)
