"""Masks, and the positions of nonzero elements.

Note [Compressing without a branch]
Whether an element is taken is hard to predict, and a misprediction costs more than a copy. So the element is
always stored, and the output position only advances if it is taken: `out[k] = x; k += taken`. Only the store past
the last taken element must not happen, hence the test against `total`, whose branch is always predicted.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport (
    Complex64, Complex128, Float32, Float64, is_reduced_floating, itemsizes,
)
from minitorch.kernels.common.copy cimport MAX_DIMS
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Item, Item16
from minitorch.kernels.indexing.indexing cimport Walk, make_walk, step

ctypedef fused Number:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    float
    double

cdef enum:
    CHUNK = 512                # elements that are tested at a time


cdef bint _in_order(int ndim, const Py_ssize_t* sizes, const Py_ssize_t* a, const Py_ssize_t* b,
                    Walk* w) noexcept nogil:
    cdef Py_ssize_t zero[MAX_DIMS]
    memset(zero, 0, ndim * sizeof(Py_ssize_t))
    return make_walk(ndim, sizes, zero, a, b, b, w)


cdef inline Py_ssize_t _row_size(const Walk* w) noexcept nogil:
    return w.sizes[w.ndim - 1] if w.ndim > 0 else 1


# -- masked_fill ----------------------------------------------------------------------------------

cdef simd _fill4(Py_ssize_t n, uint32_t* p, const uint8_t* mask, uint32_t value) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        p[j] = value if mask[j] else p[j]


cdef simd _fill8(Py_ssize_t n, uint64_t* p, const uint8_t* mask, uint64_t value) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        p[j] = value if mask[j] else p[j]


cdef inline void _fill(Item* tag, Py_ssize_t n, char* p, Py_ssize_t s, const char* mask,
                       Py_ssize_t m, const char* value) noexcept nogil:
    cdef Py_ssize_t j
    cdef Item v = (<const Item*>value)[0]
    for j in range(n):
        if mask[j * m]:
            (<Item*>(p + j * s))[0] = v


cdef void _fill_row(Py_ssize_t itemsize, Py_ssize_t n, char* p, Py_ssize_t s, const char* mask,
                    Py_ssize_t m, const char* value) noexcept nogil:
    if m == 0 and not mask[0]:
        return
    if itemsize == 4:
        if s == 4 and m == 1:
            _fill4(n, <uint32_t*>p, <const uint8_t*>mask, (<const uint32_t*>value)[0])
        else:
            _fill(<uint32_t*>NULL, n, p, s, mask, m, value)
    elif itemsize == 8:
        if s == 8 and m == 1:
            _fill8(n, <uint64_t*>p, <const uint8_t*>mask, (<const uint64_t*>value)[0])
        else:
            _fill(<uint64_t*>NULL, n, p, s, mask, m, value)
    elif itemsize == 1:
        _fill(<uint8_t*>NULL, n, p, s, mask, m, value)
    elif itemsize == 2:
        _fill(<uint16_t*>NULL, n, p, s, mask, m, value)
    else:
        _fill(<Item16*>NULL, n, p, s, mask, m, value)


cdef void _fill_part(const Walk* whole, int split, Py_ssize_t low, Py_ssize_t high, char* p,
                     char* mask, const char* value, Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Walk w
    cdef char* unused = NULL
    cdef int inner = whole.ndim - 1
    if low == high:
        return
    if inner < 0:
        _fill_row(itemsize, 1, p, 0, mask, 0, value)
        return
    memcpy(&w, whole, sizeof(Walk))
    w.sizes[split] = high - low
    p += low * w.a[split]
    mask += low * w.b[split]
    memset(position, 0, inner * sizeof(Py_ssize_t))
    while True:
        _fill_row(itemsize, w.sizes[inner], p, w.a[inner], mask, w.b[inner], value)
        if not step(&w, inner, position, &p, &mask, &unused):
            return


cdef void masked_fill(int ndim, const Py_ssize_t* sizes,
                      char* self_, const Py_ssize_t* self_strides,
                      const char* mask, const Py_ssize_t* mask_strides, const char* value,
                      Py_ssize_t itemsize) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t count = 1
    cdef int d, split = 0, parts, part
    if not make_walk(ndim, sizes, self_strides, self_strides, mask_strides, mask_strides, &w):
        return
    for d in range(w.ndim):
        count *= w.sizes[d]
        if w.sizes[split] < 8 and w.sizes[d] > w.sizes[split]:
            split = d
    parts = threads_for(count // 4)
    if parts <= 1 or w.ndim == 0:
        _fill_part(&w, split, 0, w.sizes[split] if w.ndim > 0 else 1, self_, <char*>mask, value,
                   itemsize)
        return
    for part in prange(parts, num_threads=parts, schedule="static"):
        _fill_part(&w, split, w.sizes[split] * part // parts, w.sizes[split] * (part + 1) // parts,
                   self_, <char*>mask, value, itemsize)


# -- which elements are not zero ------------------------------------------------------------------

cdef inline void _truth_of(Number* tag, Py_ssize_t n, const char* p, Py_ssize_t s,
                           uint8_t* out) noexcept nogil:
    cdef Py_ssize_t j
    if s == sizeof(Number):
        for j in range(n):
            out[j] = (<const Number*>p)[j] != 0
    else:
        for j in range(n):
            out[j] = (<const Number*>(p + j * s))[0] != 0


cdef void _truth(int dtype, Py_ssize_t n, const char* p, Py_ssize_t s, uint8_t* out) noexcept nogil:
    cdef Py_ssize_t j
    cdef uint8_t imaginary[CHUNK]
    if dtype == Complex64:
        _truth_of(<float*>NULL, n, p, s, out)
        _truth_of(<float*>NULL, n, p + 4, s, imaginary)
    elif dtype == Complex128:
        _truth_of(<double*>NULL, n, p, s, out)
        _truth_of(<double*>NULL, n, p + 8, s, imaginary)
    if dtype == Complex64 or dtype == Complex128:
        for j in range(n):
            out[j] |= imaginary[j]
    elif is_reduced_floating(dtype):
        for j in range(n):
            out[j] = ((<const uint16_t*>(p + j * s))[0] & 0x7fff) != 0
    elif dtype == Float32:
        _truth_of(<float*>NULL, n, p, s, out)
    elif dtype == Float64:
        _truth_of(<double*>NULL, n, p, s, out)
    elif itemsizes[dtype] == 1:
        _truth_of(<uint8_t*>NULL, n, p, s, out)
    elif itemsizes[dtype] == 2:
        _truth_of(<uint16_t*>NULL, n, p, s, out)
    elif itemsizes[dtype] == 4:
        _truth_of(<uint32_t*>NULL, n, p, s, out)
    else:
        _truth_of(<uint64_t*>NULL, n, p, s, out)


cdef Py_ssize_t count_nonzero(int dtype, int ndim, const Py_ssize_t* sizes, const char* src,
                              const Py_ssize_t* strides) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t position[MAX_DIMS]
    cdef uint8_t truth[CHUNK]
    cdef Py_ssize_t total = 0, n, j, j0, size, s
    cdef uint32_t part
    cdef char* a = <char*>src
    cdef char* b = a
    cdef char* c = a
    if not make_walk(ndim, sizes, strides, strides, strides, strides, &w):
        return 0
    n = _row_size(&w)
    s = w.a[w.ndim - 1] if w.ndim > 0 else 0
    memset(position, 0, w.ndim * sizeof(Py_ssize_t))
    while True:
        j0 = 0
        while j0 < n:
            size = n - j0 if n - j0 < CHUNK else CHUNK
            _truth(dtype, size, a + j0 * s, s, truth)
            part = 0
            for j in range(size):
                part += truth[j]
            total += part
            j0 += CHUNK
        if not step(&w, w.ndim - 1, position, &a, &b, &c):
            return total


cdef void nonzero(int dtype, int ndim, const Py_ssize_t* sizes, const char* src,
                  const Py_ssize_t* strides, char* out, Py_ssize_t out_row_stride,
                  Py_ssize_t out_col_stride, Py_ssize_t total) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef int64_t hits[CHUNK + 1]
    cdef uint8_t truth[CHUNK]
    cdef Py_ssize_t n, j, j0, size, s, k, found = 0
    cdef int d
    cdef char* column
    if total == 0 or ndim == 0:
        return
    n = sizes[ndim - 1]
    s = strides[ndim - 1]
    memset(position, 0, ndim * sizeof(Py_ssize_t))
    while found < total:
        j0 = 0
        while j0 < n:
            size = n - j0 if n - j0 < CHUNK else CHUNK
            _truth(dtype, size, src + j0 * s, s, truth)
            k = 0
            for j in range(size):
                hits[k] = j0 + j
                k += truth[j]
            column = out + found * out_row_stride
            for d in range(ndim):
                for j in range(k):
                    (<int64_t*>(column + j * out_row_stride))[0] = (
                        hits[j] if d == ndim - 1 else position[d])
                column += out_col_stride
            found += k
            j0 += CHUNK
        d = ndim - 2
        while d >= 0:
            position[d] += 1
            src += strides[d]
            if position[d] < sizes[d]:
                break
            src -= strides[d] * sizes[d]
            position[d] = 0
            d -= 1
        if d < 0:
            return


# -- masked_select and masked_scatter -------------------------------------------------------------

cdef inline Py_ssize_t _select(Item* tag, Py_ssize_t n, const char* p, Py_ssize_t s,
                               const char* mask, Py_ssize_t m, char* out_, Py_ssize_t k,
                               Py_ssize_t total) noexcept nogil:
    # Note [Compressing without a branch]
    cdef Py_ssize_t j
    cdef Item* out = <Item*>out_
    for j in range(n):
        if k == total:
            return k
        out[k] = (<const Item*>(p + j * s))[0]
        k += mask[j * m] != 0
    return k


cdef void masked_select(int ndim, const Py_ssize_t* sizes, const char* src,
                        const Py_ssize_t* src_strides, const char* mask,
                        const Py_ssize_t* mask_strides, char* out, Py_ssize_t total,
                        Py_ssize_t itemsize) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Py_ssize_t n, s = 0, m = 0, k = 0
    cdef char* a = <char*>src
    cdef char* b = <char*>mask
    cdef char* unused = NULL
    if not _in_order(ndim, sizes, src_strides, mask_strides, &w):
        return
    n = _row_size(&w)
    if w.ndim > 0:
        s = w.a[w.ndim - 1]
        m = w.b[w.ndim - 1]
    memset(position, 0, w.ndim * sizeof(Py_ssize_t))
    while k < total:
        if itemsize == 4:
            k = _select(<uint32_t*>NULL, n, a, s, b, m, out, k, total)
        elif itemsize == 8:
            k = _select(<uint64_t*>NULL, n, a, s, b, m, out, k, total)
        elif itemsize == 1:
            k = _select(<uint8_t*>NULL, n, a, s, b, m, out, k, total)
        elif itemsize == 2:
            k = _select(<uint16_t*>NULL, n, a, s, b, m, out, k, total)
        else:
            k = _select(<Item16*>NULL, n, a, s, b, m, out, k, total)
        if not step(&w, w.ndim - 1, position, &a, &b, &unused):
            return


cdef inline Py_ssize_t _spread(Item* tag, Py_ssize_t n, char* p, Py_ssize_t s, const char* mask,
                               Py_ssize_t m, const char* source, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        if mask[j * m]:
            (<Item*>(p + j * s))[0] = (<const Item*>source)[k]
            k += 1
    return k


cdef void masked_scatter(int ndim, const Py_ssize_t* sizes, char* self_,
                         const Py_ssize_t* self_strides, const char* mask,
                         const Py_ssize_t* mask_strides, const char* source,
                         Py_ssize_t itemsize) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Py_ssize_t n, s = 0, m = 0, k = 0
    cdef char* a = self_
    cdef char* b = <char*>mask
    cdef char* unused = NULL
    if not _in_order(ndim, sizes, self_strides, mask_strides, &w):
        return
    n = _row_size(&w)
    if w.ndim > 0:
        s = w.a[w.ndim - 1]
        m = w.b[w.ndim - 1]
    memset(position, 0, w.ndim * sizeof(Py_ssize_t))
    while True:
        if itemsize == 4:
            k = _spread(<uint32_t*>NULL, n, a, s, b, m, source, k)
        elif itemsize == 8:
            k = _spread(<uint64_t*>NULL, n, a, s, b, m, source, k)
        elif itemsize == 1:
            k = _spread(<uint8_t*>NULL, n, a, s, b, m, source, k)
        elif itemsize == 2:
            k = _spread(<uint16_t*>NULL, n, a, s, b, m, source, k)
        else:
            k = _spread(<Item16*>NULL, n, a, s, b, m, source, k)
        if not step(&w, w.ndim - 1, position, &a, &b, &unused):
            return
