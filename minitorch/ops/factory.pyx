"""Tensors made from nothing: constant, counting, diagonal.

Invariant: arguments are checked, with PyTorch's texts, before memory is taken.
"""

from libc.math cimport ceil, pow
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport (
    Bool, Complex64, Complex128, Float32, Float64, Int64, NoType, class_name, default_complex_dtype,
    get_default_dtype, is_complex, is_floating, is_integral, itemsizes)
from minitorch.core.tensor_impl cimport TensorImpl, data, empty_tuple, numel
from minitorch.ops.copy cimport PRESERVE_FORMAT, cast, copy_, empty_in_format, fill_


cdef int dtype_of_number(object value) except -1:
    if isinstance(value, bool):
        return Bool
    if isinstance(value, int):
        return Int64
    if isinstance(value, complex):
        return default_complex_dtype()
    return get_default_dtype()


cdef inline int _or_default(int dtype) noexcept:
    return get_default_dtype() if dtype == NoType else dtype


cdef TensorImpl new_empty(tuple size, int dtype=NoType):
    return empty_tuple(size, _or_default(dtype))


cdef TensorImpl zeros(tuple size, int dtype=NoType):
    return fill_(empty_tuple(size, _or_default(dtype)), 0)


cdef TensorImpl ones(tuple size, int dtype=NoType):
    return fill_(empty_tuple(size, _or_default(dtype)), 1)


cdef TensorImpl full(tuple size, object fill_value, int dtype=NoType):
    return fill_(empty_tuple(size, dtype_of_number(fill_value) if dtype == NoType else dtype),
                 fill_value)


cdef TensorImpl empty_like(TensorImpl self, int dtype=NoType, int memory_format=PRESERVE_FORMAT):
    return empty_in_format(self, self.dtype if dtype == NoType else dtype, memory_format)


cdef TensorImpl zeros_like(TensorImpl self, int dtype=NoType, int memory_format=PRESERVE_FORMAT):
    return fill_(empty_like(self, dtype, memory_format), 0)


cdef TensorImpl ones_like(TensorImpl self, int dtype=NoType, int memory_format=PRESERVE_FORMAT):
    return fill_(empty_like(self, dtype, memory_format), 1)


cdef TensorImpl full_like(TensorImpl self, object fill_value, int dtype=NoType,
                          int memory_format=PRESERVE_FORMAT):
    return fill_(empty_like(self, dtype, memory_format), fill_value)


# ---- counting

cdef TensorImpl arange(object start, object end, object step, int dtype=NoType):
    cdef Py_ssize_t n, i
    cdef int64_t first, stride
    cdef double begin, spacing, count
    cdef TensorImpl wide
    cdef bint exact = (isinstance(start, int) and isinstance(end, int) and isinstance(step, int))
    if dtype == NoType:
        dtype = Int64 if exact else get_default_dtype()
    if is_complex(dtype) or dtype == Bool:
        raise NotImplementedError(f'"arange_cpu" not implemented for \'{class_name(dtype)}\'')
    if is_integral(dtype):
        # PyTorch reads the arguments as numbers of the result's type: a fraction is cut off
        start, end, step = int(start), int(end), int(step)
        exact = True
    if step == 0:
        raise RuntimeError("step must be nonzero")
    begin = float(start)
    count = float(end)
    if begin - begin != 0 or count - count != 0:
        raise RuntimeError(f"unsupported range: {_number_text(start)} -> {_number_text(end)}")
    if (step > 0 and end < start) or (step < 0 and end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    spacing = float(step)
    if exact:
        n = -((start - end) // step) if step else 0
    else:
        count = ceil((float(end) - begin) / spacing)
        if not 0 <= count <= 9.2e18:
            raise RuntimeError(f"invalid size, possible overflow? size={count}")
        n = <Py_ssize_t>count
    if is_integral(dtype):
        wide = empty_tuple((n,), Int64)
        first, stride = start, step
        for i in range(n):
            (<int64_t*>data(wide))[i] = first + i * stride
        return cast(wide, dtype)
    wide = empty_tuple((n,), Float64)
    for i in range(n):
        (<double*>data(wide))[i] = begin + i * spacing
    return cast(wide, dtype)


cdef str _number_text(object value):
    return f"{value:g}" if isinstance(value, float) else str(value)


cdef int _spaced_dtype(object start, object end, int dtype) except -1:
    if dtype != NoType:
        return dtype
    if isinstance(start, complex) or isinstance(end, complex):
        return default_complex_dtype()
    return get_default_dtype()


cdef TensorImpl linspace(object start, object end, Py_ssize_t steps, int dtype=NoType):
    cdef TensorImpl wide
    cdef Py_ssize_t i
    cdef double first, last, step
    cdef float first32, last32, step32
    dtype = _spaced_dtype(start, end, dtype)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if is_complex(dtype):
        wide = empty_tuple((steps,), Complex128)
        _complex_linspace(wide, complex(start), complex(end), steps)
        return cast(wide, dtype)
    if is_integral(dtype):
        start, end = int(start), int(end)
    first, last = float(start), float(end)
    # from both ends towards the middle, so that the last element is exactly `end`
    if dtype == Float32:
        wide = empty_tuple((steps,), Float32)
        first32, last32 = <float>first, <float>last
        step32 = (last32 - first32) / (steps - 1) if steps > 1 else 0
        for i in range(steps):
            (<float*>data(wide))[i] = (first32 + step32 * i if i < steps // 2 or steps == 1
                                       else last32 - step32 * (steps - i - 1))
        return wide
    wide = empty_tuple((steps,), Float64)
    step = (last - first) / (steps - 1) if steps > 1 else 0
    for i in range(steps):
        (<double*>data(wide))[i] = (first + step * i if i < steps // 2 or steps == 1
                                    else last - step * (steps - i - 1))
    return cast(wide, dtype)


cdef int _complex_linspace(TensorImpl wide, double complex first, double complex last,
                           Py_ssize_t steps) except -1:
    cdef Py_ssize_t i
    cdef double complex step = (last - first) / (steps - 1) if steps > 1 else 0
    for i in range(steps):
        (<double complex*>data(wide))[i] = (first + step * i if i < steps // 2 or steps == 1
                                            else last - step * (steps - i - 1))
    return 0


cdef TensorImpl logspace(object start, object end, Py_ssize_t steps, double base=10.0,
                         int dtype=NoType):
    cdef TensorImpl wide
    cdef Py_ssize_t i
    dtype = _spaced_dtype(start, end, dtype)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if is_complex(dtype):
        wide = linspace(start, end, steps, Complex128)
        for i in range(steps):
            (<double complex*>data(wide))[i] = base ** (<double complex*>data(wide))[i]
        return cast(wide, dtype)
    wide = linspace(start, end, steps, Float64)
    for i in range(steps):
        (<double*>data(wide))[i] = pow(base, (<double*>data(wide))[i])
    return cast(wide, dtype)


# ---- diagonals and triangles

cdef TensorImpl eye(Py_ssize_t n, Py_ssize_t m, int dtype=NoType):
    cdef TensorImpl result, one
    cdef Py_ssize_t i, item
    cdef char* p
    cdef char* source
    if n < 0:
        raise RuntimeError(f"n must be greater or equal to 0, got {n}")
    if m < 0:
        raise RuntimeError(f"m must be greater or equal to 0, got {m}")
    result = zeros((n, m), dtype)
    one = ones((), dtype)
    item = itemsizes[result.dtype]
    source = data(one)
    p = data(result)
    for i in range(min(n, m)):
        memcpy(p + i * (m + 1) * item, source, item)
    return result


cdef Py_ssize_t _row_end(Py_ssize_t i, Py_ssize_t col, Py_ssize_t offset) noexcept:
    """Columns of row i on or below the diagonal `offset`."""
    cdef Py_ssize_t end = i + offset + 1
    return 0 if end < 0 else col if end > col else end


cdef TensorImpl _triangle(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset, int dtype, bint lower):
    cdef TensorImpl result
    cdef Py_ssize_t count = 0, i, j, k = 0, begin, end
    cdef int64_t* p
    if row < 0:
        raise RuntimeError(f"row must be non-negative, got{row}")
    if col < 0:
        raise RuntimeError(f"col must be non-negative, got{col}")
    for i in range(row):
        count += _row_end(i, col, offset) if lower else col - _row_end(i, col, offset - 1)
    result = empty_tuple((2, count), Int64)
    p = <int64_t*>data(result)
    for i in range(row):
        begin = 0 if lower else _row_end(i, col, offset - 1)
        end = _row_end(i, col, offset) if lower else col
        for j in range(begin, end):
            p[k] = i
            p[count + k] = j
            k += 1
    return cast(result, Int64 if dtype == NoType else dtype)


cdef TensorImpl tril_indices(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset=0, int dtype=NoType):
    return _triangle(row, col, offset, dtype, True)


cdef TensorImpl triu_indices(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset=0, int dtype=NoType):
    return _triangle(row, col, offset, dtype, False)
