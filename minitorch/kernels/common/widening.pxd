# Conversion of elements of any real dtype from and to the few types that kernels compute in: int64, float32 and
# float64. float16 and bfloat16 are computed as float32, Bool and integers as int64.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, is_floating)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, store_float

# converts n elements, `step` bytes apart, into packed memory
ctypedef void (*Load)(const char* src, Py_ssize_t step, char* dst, Py_ssize_t n) noexcept nogil

# NULL if there is none: `to_dtype` is Int64, Float32 or Float64, `from_dtype` is any real dtype
cdef Load load_function(int from_dtype, int to_dtype) noexcept nogil

# The dtype in which a reduction with results of this dtype computes
cdef inline int compute_dtype(int dtype) noexcept nogil:
    if dtype == Float64:
        return Float64
    return Float32 if is_floating(dtype) else Int64

# Stores one result; false if the dtype cannot hold it (complex dtypes).
cdef inline bint store_real(char* p, double value, int dtype) noexcept nogil:
    if dtype == Float32:
        (<float*>p)[0] = <float>value
    elif dtype == Float64:
        (<double*>p)[0] = value
    elif dtype == Float16:
        store_float(<half_t*>p, <float>value)
    elif dtype == BFloat16:
        store_float(<bfloat16_t*>p, <float>value)
    elif dtype == Bool:
        p[0] = value != 0
    else:
        return store_integer(p, <int64_t>value, dtype)
    return True

# Integers wrap around.
cdef inline bint store_integer(char* p, int64_t value, int dtype) noexcept nogil:
    if dtype == Int64:
        (<int64_t*>p)[0] = value
    elif dtype == Int32:
        (<int32_t*>p)[0] = <int32_t>value
    elif dtype == Int16:
        (<int16_t*>p)[0] = <int16_t>value
    elif dtype == Int8:
        (<int8_t*>p)[0] = <int8_t>value
    elif dtype == UInt8:
        (<uint8_t*>p)[0] = <uint8_t>value
    elif dtype == Bool:
        p[0] = value != 0
    elif is_floating(dtype):
        return store_real(p, <double>value, dtype)
    else:
        return False
    return True
