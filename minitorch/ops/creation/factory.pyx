"""New tensors: constants, ranges, diagonals.

Invariant: arguments are checked, with PyTorch's error messages, before memory is allocated.
"""

from libc.math cimport ceil, pow
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport (
    Bool, Complex128, Float32, Float64, Int32, Int64, NoType, default_complex_dtype,
    get_default_dtype, is_complex, is_integral, itemsizes)
from minitorch.core.tensor_impl cimport TensorImpl, data, empty_tuple
from minitorch.kernels.creation.ranges cimport (
    fill_range_float32, fill_range_float64, fill_range_int64, fill_spaced_float32,
    fill_spaced_float64)
from minitorch.ops.common.checks cimport CARRIED, COMPLEX32, WIDE_UNSIGNED, not_implemented, reject_dtypes
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, cast, empty_in_format, fill_, zero_
from minitorch.ops.common.scalar cimport number_for, read_scalar, write_scalar

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    Py_ssize_t PY_SSIZE_T_MIN


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
    return zero_(empty_tuple(size, _or_default(dtype)))


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

cdef Py_ssize_t _range_length(double start, double end, double step) except -1:
    cdef double count
    if start - start != 0 or end - end != 0:
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (step > 0 and end < start) or (step < 0 and end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = ceil((end - start) / step)
    if not 0 <= count < 9.2e18:
        raise RuntimeError("invalid size, possible overflow?")
    return <Py_ssize_t>count


cdef TensorImpl arange(object start, object end, object step, int dtype=NoType):
    cdef Py_ssize_t n
    cdef int64_t first, spacing
    cdef double begin, stride
    cdef TensorImpl wide
    start, end, step = number_for(start, Float64), number_for(end, Float64), number_for(step, Float64)
    if dtype == NoType:
        dtype = (Int64 if isinstance(start, int) and isinstance(end, int) and isinstance(step, int)
                 else get_default_dtype())
    if is_complex(dtype) or dtype == Bool:
        raise not_implemented("arange_cpu", dtype)
    if not (step < 0 or step > 0):
        raise RuntimeError("step must be nonzero")
    if dtype == Int64 and isinstance(end, int) and not -2**63 <= end < 2**63:
        if end >= 2**64:
            raise OverflowError("int too big to convert")
        raise RuntimeError("value cannot be converted to type int64_t without overflow")
    begin = start
    stride = step
    # the length is computed from the arguments as given, except in int64, where it has to be exact
    n = _range_length(begin, end, stride)
    if n:
        reject_dtypes(dtype, CARRIED, "arange_cpu")
    if is_integral(dtype):
        write_scalar(start, Int64, &first)
        write_scalar(step, Int64, &spacing)
        if dtype == Int64:
            start, end, step = first, int(end), spacing
            if spacing == 0:
                raise ValueError("step must be nonzero")
            n = max(-((start - end) // step), 0)
        wide = empty_tuple((n,), Int64)
        fill_range_int64(<long long*>data(wide), n, first, spacing)
        return cast(wide, dtype)
    wide = empty_tuple((n,), Float32 if dtype == Float32 else Float64)
    if dtype == Float32:
        fill_range_float32(<float*>data(wide), n, begin, stride)
    else:
        fill_range_float64(<double*>data(wide), n, begin, stride)
    return cast(wide, dtype)


cdef int _spaced_dtype(object start, object end, int dtype) except -1:
    if dtype != NoType:
        return dtype
    if isinstance(start, complex) or isinstance(end, complex):
        return default_complex_dtype()
    return get_default_dtype()


cdef double _as_element(object value, int dtype) except? -1.0:
    """Return `value` rounded to `dtype`."""
    cdef double[2] element
    write_scalar(value, dtype, element)
    return read_scalar(<char*>element, dtype)


cdef TensorImpl linspace(object start, object end, Py_ssize_t steps, int dtype=NoType):
    cdef TensorImpl wide
    cdef double first, last, step
    cdef float first32, last32, step32
    cdef Py_ssize_t half = 1 if steps == 1 else steps // 2
    dtype = _spaced_dtype(start, end, dtype)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps > 1:
        reject_dtypes(dtype, CARRIED, "linspace_cpu")
    if is_complex(dtype):
        wide = empty_tuple((steps,), Complex128)
        _complex_linspace(wide, start, end, steps)
        return cast(wide, dtype)
    if dtype == Bool and steps > 1:
        raise NotImplementedError("\"linspace_cpu\" not implemented for 'Bool'")
    first, last = _as_element(start, dtype), _as_element(end, dtype)
    # Fill from both ends towards the middle, so that the last element is exactly `end`. Except for float64 and
    # integers the step has float32 precision. Each element is rounded once.
    if dtype == Float64 or is_integral(dtype):
        wide = empty_tuple((steps,), Float64)
        step = (last - first) / (steps - 1) if steps > 1 else 0
        fill_spaced_float64(<double*>data(wide), steps, half, first, last, step)
        return cast(wide, dtype)
    wide = empty_tuple((steps,), Float32)
    first32, last32 = <float>first, <float>last
    step32 = <float>(last - first) / (steps - 1) if steps > 1 else 0
    fill_spaced_float32(<float*>data(wide), steps, half, first32, last32, step32)
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
    if steps > 1:
        reject_dtypes(dtype, CARRIED, "logspace_cpu")
    if is_complex(dtype):
        wide = linspace(start, end, steps, Complex128)
        for i in range(steps):
            (<double complex*>data(wide))[i] = base ** (<double complex*>data(wide))[i]
        return cast(wide, dtype)
    if dtype == Bool and steps > 1:
        raise NotImplementedError("\"logspace_cpu\" not implemented for 'Bool'")
    if is_integral(dtype):
        # the exponents are truncated to integers, but the steps between them are not
        start, end = int(start), int(end)
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
    if dtype != NoType:
        reject_dtypes(dtype, WIDE_UNSIGNED | COMPLEX32, "eye")
    result = zeros((n, m), dtype)
    one = ones((), dtype)
    item = itemsizes[result.dtype]
    source = data(one)
    p = data(result)
    for i in range(min(n, m)):
        memcpy(p + i * (m + 1) * item, source, item)
    return result


cdef inline Py_ssize_t _row_end(Py_ssize_t i, Py_ssize_t col, Py_ssize_t offset) noexcept nogil:
    """Return how many columns of row i are on or below the diagonal `offset`."""
    if offset >= col or offset < -i:
        return col if offset >= col else 0
    return min(i + offset + 1, col)


cdef object _below_diagonal(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset):
    """Return how many elements are on or below the diagonal `offset`, as a Python integer of any size."""
    cdef object first = min(max(-<object>offset, 0), row)            # the first row that has such elements
    cdef object whole = min(max(<object>col - offset - 1, first), row)   # the first row all of whose elements count
    # rows first to whole - 1 have 1, 2, ... more such elements than `start`
    cdef object start = first + offset, count = whole - first
    return count * start + count * (count + 1) // 2 + (row - whole) * <object>col


cdef TensorImpl _triangle(Py_ssize_t row, Py_ssize_t col, Py_ssize_t offset, int dtype, bint lower):
    cdef TensorImpl result
    cdef Py_ssize_t count, first = 0, last = row, i, j, k = 0, begin, end
    cdef int64_t* p
    cdef object total
    if row < 0:
        raise RuntimeError(f"row must be non-negative, got{row}")
    if col < 0:
        raise RuntimeError(f"col must be non-negative, got{col}")
    if dtype not in (NoType, Int32, Int64):
        raise not_implemented("tril_indices" if lower else "triu_indices", dtype)
    if not lower and offset > PY_SSIZE_T_MIN:
        offset -= 1                     # above a diagonal means not on or below the diagonal beneath it
    total = _below_diagonal(row, col, offset)
    if not lower:
        total = <object>row * col - total
    if total > PY_SSIZE_T_MAX:
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[2, {total}]")
    count = total
    result = empty_tuple((2, count), Int64)
    p = <int64_t*>data(result)
    # there may be more rows without elements than the loop could visit
    if lower:
        first = min(max(-offset, 0), row) if offset > PY_SSIZE_T_MIN else row
    elif offset < col:
        last = min(row, col - offset) if offset >= col - PY_SSIZE_T_MAX else row
    else:
        last = 0
    if count == 0:
        last = first
    with nogil:
        for i in range(first, last):
            begin = 0 if lower else _row_end(i, col, offset)
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
