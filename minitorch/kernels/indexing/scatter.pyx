"""Writing through index tensors, with or without arithmetic.

SET only depends on the size of elements. ADD and MULTIPLY of integers use unsigned types, which have the same
bits and a defined overflow; MIN and MAX use the types themselves.
"""

from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    UInt8, itemsizes,
)
from minitorch.kernels.common.copy cimport MAX_DIMS
from minitorch.kernels.common.half cimport bfloat16_t, half_t, narrow_t, store_float, to_float
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Item, Item16
from minitorch.kernels.elementwise.complex_numbers cimport times
from minitorch.kernels.indexing.indexing cimport Walk, make_walk, step

# `char` is distinct from all integer types and represents Bool
ctypedef fused Number:
    char
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    half_t
    bfloat16_t
    float
    double
    float complex
    double complex

ctypedef fused Ordered:
    char
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    half_t
    bfloat16_t
    float
    double

# One row of the iteration: n elements, the steps of dst, src and index
cdef struct Row:
    Py_ssize_t n
    char* dst
    Py_ssize_t d
    const char* src
    Py_ssize_t s
    const char* index
    Py_ssize_t i
    Py_ssize_t size
    Py_ssize_t dim_stride


# Loops use a copy of their row, since their stores might alias the fields of the original.
cdef inline int64_t _at(Row r, Py_ssize_t j) noexcept nogil:
    cdef int64_t at = (<const int64_t*>(r.index + j * r.i))[0]
    return (at + (r.size & (at >> 63))) * r.dim_stride


cdef inline bint _along(Row r, Py_ssize_t itemsize) noexcept nogil:
    """Return whether the rows of dst, src and the index have no gaps."""
    return r.d == 0 and r.i == 8 and r.s == itemsize and r.dim_stride == itemsize


cdef inline void _set(Item* tag, Row r) noexcept nogil:
    cdef Py_ssize_t j
    cdef Item* p = <Item*>r.dst
    cdef const Item* q = <const Item*>r.src
    cdef const int64_t* at = <const int64_t*>r.index
    cdef int64_t size = r.size
    if _along(r, sizeof(Item)):
        for j in range(r.n):
            p[at[j] + (size & (at[j] >> 63))] = q[j]
        return
    for j in range(r.n):
        (<Item*>(r.dst + j * r.d + _at(r, j)))[0] = (<const Item*>(r.src + j * r.s))[0]


cdef inline Number _plus(Number x, Number y) noexcept nogil:
    cdef Number h
    if Number is char:
        return <char>(x or y)
    elif Number in narrow_t:
        store_float(&h, to_float(x) + to_float(y))
        return h
    elif Number is floatcomplex or Number is doublecomplex:
        return x + y                    # as a cast would multiply by the imaginary unit, inf + nan j would become nan
    else:
        return <Number>(x + y)


cdef inline Number _times(Number x, Number y) noexcept nogil:
    cdef Number h
    if Number is char:
        return <char>(x and y)
    elif Number in narrow_t:
        store_float(&h, to_float(x) * to_float(y))
        return h
    elif Number is uint16_t:
        return <uint16_t>(<uint32_t>x * y)
    elif Number is floatcomplex or Number is doublecomplex:
        return times(x, y)
    else:
        return <Number>(x * y)


cdef inline void _add(Number* tag, Row r) noexcept nogil:
    cdef Py_ssize_t j
    cdef Number* p = <Number*>r.dst
    cdef const Number* q = <const Number*>r.src
    cdef const int64_t* at = <const int64_t*>r.index
    cdef int64_t size = r.size, k
    if _along(r, sizeof(Number)):
        for j in range(r.n):
            k = at[j] + (size & (at[j] >> 63))
            p[k] = _plus(p[k], q[j])
        return
    if r.i == 0 and r.d == sizeof(Number) and r.s == sizeof(Number):
        p = <Number*>(r.dst + _at(r, 0))
        for j in range(r.n):
            p[j] = _plus(p[j], q[j])
        return
    for j in range(r.n):
        p = <Number*>(r.dst + j * r.d + _at(r, j))
        p[0] = _plus(p[0], (<const Number*>(r.src + j * r.s))[0])


cdef inline void _multiply(Number* tag, Row r) noexcept nogil:
    cdef Py_ssize_t j
    cdef Number* p
    for j in range(r.n):
        p = <Number*>(r.dst + j * r.d + _at(r, j))
        p[0] = _times(p[0], (<const Number*>(r.src + j * r.s))[0])


cdef inline bint _wins(Ordered x, Ordered y, bint smaller) noexcept nogil:
    """Return whether y replaces x: y is nan, or x is not nan and y is on the wanted side."""
    cdef float a, b
    if Ordered in narrow_t:
        a = to_float(x)
        b = to_float(y)
        return b != b or (a == a and (b < a if smaller else b > a))
    elif Ordered is float or Ordered is double:
        return y != y or (x == x and (y < x if smaller else y > x))
    else:
        return y < x if smaller else y > x


cdef inline void _extreme(Ordered* tag, Row r, bint smaller) noexcept nogil:
    cdef Py_ssize_t j
    cdef Ordered* p
    cdef const Ordered* q
    # always store, since the choice cannot be predicted
    if r.i == 0 and r.d == sizeof(Ordered) and r.s == sizeof(Ordered):
        p = <Ordered*>(r.dst + _at(r, 0))
        q = <const Ordered*>r.src
        for j in range(r.n):
            p[j] = q[j] if _wins(p[j], q[j], smaller) else p[j]
        return
    for j in range(r.n):
        p = <Ordered*>(r.dst + j * r.d + _at(r, j))
        q = <const Ordered*>(r.src + j * r.s)
        p[0] = q[0] if _wins(p[0], q[0], smaller) else p[0]


# -- from the dtype to the loop -------------------------------------------------------------------

cdef void _set_row(Py_ssize_t itemsize, Row r) noexcept nogil:
    if r.i == 0 and r.d == itemsize and r.s == itemsize:
        memcpy(r.dst + _at(r, 0), r.src, r.n * itemsize)
    elif itemsize == 4:
        _set(<uint32_t*>NULL, r)
    elif itemsize == 8:
        _set(<uint64_t*>NULL, r)
    elif itemsize == 1:
        _set(<uint8_t*>NULL, r)
    elif itemsize == 2:
        _set(<uint16_t*>NULL, r)
    else:
        _set(<Item16*>NULL, r)


cdef inline void _arithmetic(Number* tag, ScatterOp op, Row r) noexcept nogil:
    if op == SCATTER_ADD:
        _add(tag, r)
    else:
        _multiply(tag, r)


cdef void _arithmetic_row(int dtype, ScatterOp op, Row r) noexcept nogil:
    if dtype == Float32:
        _arithmetic(<float*>NULL, op, r)
    elif dtype == Float64:
        _arithmetic(<double*>NULL, op, r)
    elif dtype == Int64:
        _arithmetic(<uint64_t*>NULL, op, r)
    elif dtype == Int32:
        _arithmetic(<uint32_t*>NULL, op, r)
    elif dtype == Int16:
        _arithmetic(<uint16_t*>NULL, op, r)
    elif dtype == Int8 or dtype == UInt8:
        _arithmetic(<uint8_t*>NULL, op, r)
    elif dtype == Bool:
        _arithmetic(<char*>NULL, op, r)
    elif dtype == Float16:
        _arithmetic(<half_t*>NULL, op, r)
    elif dtype == BFloat16:
        _arithmetic(<bfloat16_t*>NULL, op, r)
    elif dtype == Complex64:
        _arithmetic(<float complex*>NULL, op, r)
    elif dtype == Complex128:
        _arithmetic(<double complex*>NULL, op, r)


cdef void _extreme_row(int dtype, bint smaller, Row r) noexcept nogil:
    if dtype == Float32:
        _extreme(<float*>NULL, r, smaller)
    elif dtype == Float64:
        _extreme(<double*>NULL, r, smaller)
    elif dtype == Int64:
        _extreme(<int64_t*>NULL, r, smaller)
    elif dtype == Int32:
        _extreme(<int32_t*>NULL, r, smaller)
    elif dtype == Int16:
        _extreme(<int16_t*>NULL, r, smaller)
    elif dtype == Int8:
        _extreme(<int8_t*>NULL, r, smaller)
    elif dtype == UInt8:
        _extreme(<uint8_t*>NULL, r, smaller)
    elif dtype == Bool:
        _extreme(<char*>NULL, r, smaller)
    elif dtype == Float16:
        _extreme(<half_t*>NULL, r, smaller)
    elif dtype == BFloat16:
        _extreme(<bfloat16_t*>NULL, r, smaller)


cdef inline void _row(int dtype, ScatterOp op, Row r) noexcept nogil:
    if op == SCATTER_SET:
        _set_row(itemsizes[dtype], r)
    elif op == SCATTER_ADD or op == SCATTER_MULTIPLY:
        _arithmetic_row(dtype, op, r)
    else:
        _extreme_row(dtype, op == SCATTER_MIN, r)


# -- the walk -------------------------------------------------------------------------------------

cdef void _part(int dtype, ScatterOp op, const Walk* whole, int split, Py_ssize_t low,
                Py_ssize_t high, char* dst, char* src, char* index, Py_ssize_t size,
                Py_ssize_t dim_stride) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Walk w
    cdef Row r
    cdef int inner = whole.ndim - 1
    if low == high:
        return
    r.n = 1
    r.d = r.s = r.i = 0
    r.size = size
    r.dim_stride = dim_stride
    memcpy(&w, whole, sizeof(Walk))
    if inner >= 0:
        w.sizes[split] = high - low
        dst += low * w.a[split]
        src += low * w.b[split]
        index += low * w.c[split]
        r.n = w.sizes[inner]
        r.d = w.a[inner]
        r.s = w.b[inner]
        r.i = w.c[inner]
    else:
        inner = 0
    memset(position, 0, inner * sizeof(Py_ssize_t))
    while True:
        r.dst = dst
        r.src = src
        r.index = index
        _row(dtype, op, r)
        if not step(&w, inner, position, &dst, &src, &index):
            return


cdef void index_scatter(int dtype, ScatterOp op, int ndim, const Py_ssize_t* sizes,
                        char* dst, const Py_ssize_t* dst_strides,
                        const char* src, const Py_ssize_t* src_strides,
                        const char* index, const Py_ssize_t* index_strides,
                        Py_ssize_t size, Py_ssize_t dim_stride) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t count = 1
    cdef int d, split = -1, parts = 1, part
    if not make_walk(ndim, sizes, src_strides, dst_strides, src_strides, index_strides, &w):
        return
    for d in range(w.ndim):
        count *= w.sizes[d]
        # along a dimension of dst itself, no two threads write the same element
        if w.a[d] != 0 and (split < 0 or w.sizes[split] < 8 and w.sizes[d] > w.sizes[split]):
            split = d
    if split >= 0:
        parts = threads_for(count // 4 if w.c[w.ndim - 1] == 0 else count)
        parts = parts if parts < w.sizes[split] else <int>w.sizes[split]
    if parts <= 1:
        split = split if split >= 0 else 0
        _part(dtype, op, &w, split, 0, w.sizes[split] if w.ndim > 0 else 1, dst, <char*>src,
              <char*>index, size, dim_stride)
        return
    for part in prange(parts, num_threads=parts, schedule="static"):
        _part(dtype, op, &w, split, w.sizes[split] * part // parts,
              w.sizes[split] * (part + 1) // parts, dst, <char*>src, <char*>index, size, dim_stride)


# -- embedding ------------------------------------------------------------------------------------

ctypedef fused Floating:
    half_t
    bfloat16_t
    float
    double
    float complex
    double complex


cdef inline Floating _scaled(Floating x, double scale) noexcept nogil:
    cdef Floating h
    if Floating in narrow_t:
        store_float(&h, to_float(x) * <float>scale)
        return h
    elif Floating is float or Floating is floatcomplex:
        return x * <float>scale
    else:
        return x * scale


cdef inline Floating _sum(Floating x, Floating y) noexcept nogil:
    cdef Floating h
    if Floating in narrow_t:
        store_float(&h, to_float(x) + to_float(y))
        return h
    else:
        return x + y


cdef void _embed(Floating* tag, Py_ssize_t n, Py_ssize_t low, Py_ssize_t high, Py_ssize_t cols,
                 const char* grad, Py_ssize_t grad_row_stride, const char* index,
                 Py_ssize_t index_stride, long long padding_idx, const Py_ssize_t* counts,
                 char* grad_weight) noexcept nogil:
    """Add the columns [low, high) of all rows."""
    cdef Py_ssize_t i, j
    cdef int64_t at
    cdef double scale
    cdef const Floating* row
    cdef Floating* target
    for i in range(n):
        at = (<const int64_t*>(index + i * index_stride))[0]
        if at == padding_idx:
            continue
        row = <const Floating*>(grad + i * grad_row_stride)
        target = <Floating*>grad_weight + at * cols
        if counts == NULL or counts[at] == 1:
            for j in range(low, high):
                target[j] = _sum(target[j], row[j])
        else:
            scale = 1.0 / counts[at]
            for j in range(low, high):
                target[j] = _sum(target[j], _scaled(row[j], scale))


cdef void _embed_columns(int dtype, Py_ssize_t n, Py_ssize_t low, Py_ssize_t high, Py_ssize_t cols,
                         const char* grad, Py_ssize_t grad_row_stride, const char* index,
                         Py_ssize_t index_stride, long long padding_idx, const Py_ssize_t* counts,
                         char* out) noexcept nogil:
    if dtype == Float32:
        _embed(<float*>NULL, n, low, high, cols, grad, grad_row_stride, index, index_stride,
               padding_idx, counts, out)
    elif dtype == Float64:
        _embed(<double*>NULL, n, low, high, cols, grad, grad_row_stride, index, index_stride,
               padding_idx, counts, out)
    elif dtype == Float16:
        _embed(<half_t*>NULL, n, low, high, cols, grad, grad_row_stride, index, index_stride,
               padding_idx, counts, out)
    elif dtype == BFloat16:
        _embed(<bfloat16_t*>NULL, n, low, high, cols, grad, grad_row_stride, index, index_stride,
               padding_idx, counts, out)
    elif dtype == Complex64:
        _embed(<float complex*>NULL, n, low, high, cols, grad, grad_row_stride, index,
               index_stride, padding_idx, counts, out)
    elif dtype == Complex128:
        _embed(<double complex*>NULL, n, low, high, cols, grad, grad_row_stride, index,
               index_stride, padding_idx, counts, out)


cdef int embedding_backward(int dtype, Py_ssize_t n, Py_ssize_t cols, Py_ssize_t num_weights,
                            const char* grad, Py_ssize_t grad_row_stride,
                            const char* index, Py_ssize_t index_stride, long long padding_idx,
                            bint scale_grad_by_freq, char* grad_weight) noexcept nogil:
    cdef Py_ssize_t* counts = NULL
    cdef Py_ssize_t i
    cdef int part, parts
    if n == 0:
        return 0
    if scale_grad_by_freq:
        counts = <Py_ssize_t*>calloc(num_weights, sizeof(Py_ssize_t))
        if counts == NULL:
            return -1
        for i in range(n):
            counts[(<const int64_t*>(index + i * index_stride))[0]] += 1
    # a thread takes whole cache lines of the columns, so that no two threads write to the same line
    parts = threads_for(n * cols // 4)
    parts = parts if cols >= 32 * parts else 1
    if parts <= 1:
        _embed_columns(dtype, n, 0, cols, cols, grad, grad_row_stride, index, index_stride,
                       padding_idx, counts, grad_weight)
        free(counts)
        return 0
    for part in prange(parts, num_threads=parts, schedule="static"):
        _embed_columns(dtype, n, cols * part // parts, cols * (part + 1) // parts, cols, grad,
                       grad_row_stride, index, index_stride, padding_idx, counts, grad_weight)
    free(counts)
    return 0
