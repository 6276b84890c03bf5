"""Conversion of strided elements of any real dtype into packed blocks of a compute type.

Interface: ``load_function``. Kernels with loops only for int64, float32 and float64 read every other dtype
through such a block, which stays in the first-level cache.

Invariant: the function pointers returned here support any step, including 0 and negative ones.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from minitorch.core.dtype cimport (
    BFloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8)
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Numeric

ctypedef fused target_t:
    int64_t
    float
    double


cdef inline target_t _value(Numeric v, target_t tag) noexcept nogil:
    if Numeric in narrow_t:
        return <target_t>to_float(v)
    else:
        return <target_t>v


cdef simd _load(const Numeric* src, Py_ssize_t step, target_t* dst,
                Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef target_t tag = 0
    if step == <Py_ssize_t>sizeof(Numeric):
        for i in range(n):
            dst[i] = _value(src[i], tag)
    else:
        for i in range(n):
            dst[i] = _value((<const Numeric*>(<const char*>src + i * step))[0], tag)


cdef inline Load _to(target_t* tag, int from_dtype) noexcept nogil:
    if from_dtype == UInt8 or from_dtype == Bool:
        return <Load>_load[uint8_t, target_t]
    if from_dtype == Int8:
        return <Load>_load[int8_t, target_t]
    if from_dtype == Int16:
        return <Load>_load[int16_t, target_t]
    if from_dtype == Int32:
        return <Load>_load[int32_t, target_t]
    if from_dtype == Int64:
        return <Load>_load[int64_t, target_t]
    if from_dtype == Float16:
        return <Load>_load[half_t, target_t]
    if from_dtype == BFloat16:
        return <Load>_load[bfloat16_t, target_t]
    if from_dtype == Float32:
        return <Load>_load[float, target_t]
    if from_dtype == Float64:
        return <Load>_load[double, target_t]
    return NULL


cdef Load load_function(int from_dtype, int to_dtype) noexcept nogil:
    if to_dtype == Int64:
        return _to[int64_t](NULL, from_dtype)
    if to_dtype == Float32:
        return _to[float](NULL, from_dtype)
    if to_dtype == Float64:
        return _to[double](NULL, from_dtype)
    return NULL
