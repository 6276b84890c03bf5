"""Index checks, offsets and gather: reading through index tensors.

Invariant: the loops after a check rely on valid indices. Checking is a separate pass because it must precede the
first write, and because it takes a fraction of the time of the reads that follow.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.kernels.common.copy cimport MAX_DIMS
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Item, Item16

cdef bint make_walk(int ndim, const Py_ssize_t* sizes, const Py_ssize_t* key,
                    const Py_ssize_t* a, const Py_ssize_t* b, const Py_ssize_t* c,
                    Walk* out) noexcept nogil:
    cdef int order[MAX_DIMS]
    cdef int d, e, j, n = 0, last = 0
    for d in range(ndim):
        if sizes[d] == 0:
            return False
        if sizes[d] == 1:
            continue
        j = n
        while j > 0 and key[d] != 0 and 0 < _size(key[order[j - 1]]) < _size(key[d]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = d
        n += 1
    for j in range(n):
        e = order[j]
        if (j > 0 and out.a[last] == a[e] * sizes[e] and out.b[last] == b[e] * sizes[e]
                and out.c[last] == c[e] * sizes[e]):
            out.sizes[last] *= sizes[e]
        else:
            last += j > 0
            out.sizes[last] = sizes[e]
        out.a[last] = a[e]
        out.b[last] = b[e]
        out.c[last] = c[e]
    out.ndim = last + 1 if n > 0 else 0
    return True


cdef inline Py_ssize_t _size(Py_ssize_t stride) noexcept nogil:
    return stride if stride >= 0 else -stride


# -- checks ---------------------------------------------------------------------------------------

cdef inline uint64_t _signs(uint64_t value, uint64_t low, uint64_t size) noexcept nogil:
    """Return a number whose highest bit is set if value is outside of [low, size), all read as signed."""
    return (value - low) | (size - 1 - value)


cdef simd _row_signs(Py_ssize_t n, const uint64_t* index, uint64_t low, uint64_t size,
                     uint64_t* out) noexcept nogil:
    # no early exit, so that it is vectorised
    cdef Py_ssize_t j
    cdef uint64_t signs = 0
    for j in range(n):
        signs |= _signs(index[j], low, size)
    out[0] = signs


cdef bint check_index(int ndim, const Py_ssize_t* sizes, const char* index,
                      const Py_ssize_t* strides, Py_ssize_t size, bint wrap,
                      BadIndex* bad) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Py_ssize_t low = -size if wrap else 0
    cdef Py_ssize_t n = sizes[ndim - 1] if ndim > 0 else 1
    cdef Py_ssize_t stride = strides[ndim - 1] if ndim > 0 else 0
    cdef Py_ssize_t j
    cdef int d
    cdef int64_t value
    cdef uint64_t signs
    for d in range(ndim):
        if sizes[d] == 0:
            return True
        position[d] = 0
    while True:
        # a bad row is searched again for the first bad index
        signs = 0
        if stride == 8:
            _row_signs(n, <const uint64_t*>index, low, size, &signs)
        else:
            for j in range(n if stride != 0 else 1):
                signs |= _signs((<const uint64_t*>(index + j * stride))[0], low, size)
        if signs >> 63:
            for j in range(n):
                value = (<const int64_t*>(index + j * stride))[0]
                if value < low or value >= size:
                    bad.which = 0
                    bad.value = value
                    bad.size = size
                    return False
        d = ndim - 2
        while d >= 0:
            # an expanded dimension repeats indices that have been checked
            position[d] += 1 if strides[d] != 0 else sizes[d]
            index += strides[d]
            if position[d] < sizes[d]:
                break
            index -= strides[d] * sizes[d]
            position[d] = 0
            d -= 1
        if d < 0:
            return True


cdef bint index_offsets(int ndim, const Py_ssize_t* sizes, int count, const char** index,
                        const Py_ssize_t* strides, const Py_ssize_t* dim_sizes,
                        const Py_ssize_t* dim_strides, Py_ssize_t* offsets,
                        BadIndex* bad) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef const char* at[MAX_DIMS]
    cdef Py_ssize_t n = sizes[ndim - 1] if ndim > 0 else 1
    cdef Py_ssize_t j, offset, size, stride
    cdef int64_t value
    cdef int d, k
    for d in range(ndim):
        if sizes[d] == 0:
            return True
        position[d] = 0
    for k in range(count):
        at[k] = index[k]
    while True:
        if count == 1:
            size = dim_sizes[0]
            stride = strides[ndim - 1] if ndim > 0 else 0
            for j in range(n):
                value = (<const int64_t*>(at[0] + j * stride))[0]
                if value < -size or value >= size:
                    bad.which = 0
                    bad.value = value
                    bad.size = size
                    return False
                offsets[j] = (value + (size if value < 0 else 0)) * dim_strides[0]
        else:
            for j in range(n):
                offset = 0
                for k in range(count):
                    stride = strides[k * ndim + ndim - 1] if ndim > 0 else 0
                    value = (<const int64_t*>(at[k] + j * stride))[0]
                    size = dim_sizes[k]
                    if value < -size or value >= size:
                        bad.which = k
                        bad.value = value
                        bad.size = size
                        return False
                    offset += (value + (size if value < 0 else 0)) * dim_strides[k]
                offsets[j] = offset
        offsets += n
        d = ndim - 2
        while d >= 0:
            position[d] += 1
            for k in range(count):
                at[k] += strides[k * ndim + d]
            if position[d] < sizes[d]:
                break
            for k in range(count):
                at[k] -= strides[k * ndim + d] * sizes[d]
            position[d] = 0
            d -= 1
        if d < 0:
            return True


# -- gather ---------------------------------------------------------------------------------------

cdef inline void _gather_of(Item* tag, Py_ssize_t n, char* out, Py_ssize_t o,
                            const char* src, Py_ssize_t s, const char* index, Py_ssize_t i,
                            Py_ssize_t size, Py_ssize_t dim_stride) noexcept nogil:
    cdef Py_ssize_t j
    cdef int64_t at
    cdef Item* to = <Item*>out
    cdef const Item* values = <const Item*>src
    cdef const int64_t* places = <const int64_t*>index
    if s == 0 and o == sizeof(Item) and i == 8 and dim_stride == sizeof(Item):
        # rows without gaps, whose offsets need no multiplication
        for j in range(n):
            to[j] = values[places[j] + (size & (places[j] >> 63))]
        return
    for j in range(n):
        at = (<const int64_t*>(index + j * i))[0]
        at += size & (at >> 63)
        (<Item*>(out + j * o))[0] = (<const Item*>(src + j * s + at * dim_stride))[0]


cdef inline void _row_of(Item* tag, Py_ssize_t n, char* out, Py_ssize_t o,
                         const char* src, Py_ssize_t s) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        (<Item*>(out + j * o))[0] = (<const Item*>(src + j * s))[0]


cdef void _gather_row(Py_ssize_t itemsize, Py_ssize_t n, char* out, Py_ssize_t o,
                      const char* src, Py_ssize_t s, const char* index, Py_ssize_t i,
                      Py_ssize_t size, Py_ssize_t dim_stride) noexcept nogil:
    cdef int64_t at
    cdef Py_ssize_t j
    if i == 0:
        # the whole row uses a single index
        at = (<const int64_t*>index)[0]
        at += size if at < 0 else 0
        src += at * dim_stride
        if o == itemsize and s == itemsize:
            memcpy(out, src, n * itemsize)
        elif itemsize == 4:
            _row_of(<uint32_t*>NULL, n, out, o, src, s)
        elif itemsize == 8:
            _row_of(<uint64_t*>NULL, n, out, o, src, s)
        else:
            for j in range(n):
                memcpy(out + j * o, src + j * s, itemsize)
    elif itemsize == 4:
        _gather_of(<uint32_t*>NULL, n, out, o, src, s, index, i, size, dim_stride)
    elif itemsize == 8:
        _gather_of(<uint64_t*>NULL, n, out, o, src, s, index, i, size, dim_stride)
    elif itemsize == 1:
        _gather_of(<uint8_t*>NULL, n, out, o, src, s, index, i, size, dim_stride)
    elif itemsize == 2:
        _gather_of(<uint16_t*>NULL, n, out, o, src, s, index, i, size, dim_stride)
    elif itemsize == 16:
        _gather_of(<Item16*>NULL, n, out, o, src, s, index, i, size, dim_stride)
    else:
        for j in range(n):
            at = (<const int64_t*>(index + j * i))[0]
            at += size if at < 0 else 0
            memcpy(out + j * o, src + j * s + at * dim_stride, itemsize)


cdef void _gather_part(const Walk* whole, int split, Py_ssize_t low, Py_ssize_t high, char* out,
                       char* src, char* index, Py_ssize_t size, Py_ssize_t dim_stride,
                       Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef Walk w
    cdef int inner = whole.ndim - 1
    if low == high:
        return
    if inner < 0:
        _gather_row(itemsize, 1, out, 0, src, 0, index, 0, size, dim_stride)
        return
    memcpy(&w, whole, sizeof(Walk))
    w.sizes[split] = high - low
    out += low * w.a[split]
    src += low * w.b[split]
    index += low * w.c[split]
    memset(position, 0, inner * sizeof(Py_ssize_t))
    while True:
        _gather_row(itemsize, w.sizes[inner], out, w.a[inner], src, w.b[inner],
                    index, w.c[inner], size, dim_stride)
        if not step(&w, inner, position, &out, &src, &index):
            return


cdef void index_gather(int ndim, const Py_ssize_t* sizes,
                       char* out, const Py_ssize_t* out_strides,
                       const char* src, const Py_ssize_t* src_strides,
                       const char* index, const Py_ssize_t* index_strides,
                       Py_ssize_t size, Py_ssize_t dim_stride, Py_ssize_t itemsize) noexcept nogil:
    cdef Walk w
    cdef Py_ssize_t count = 1
    cdef int d, split = 0, parts, part
    if not make_walk(ndim, sizes, out_strides, out_strides, src_strides, index_strides, &w):
        return
    for d in range(w.ndim):
        count *= w.sizes[d]
        if w.sizes[split] < 8 and w.sizes[d] > w.sizes[split]:
            split = d
    # a nanosecond per element, less for elements that are copied in rows
    parts = threads_for(count // 8 if w.ndim > 0 and w.c[w.ndim - 1] == 0 else count)
    if parts <= 1 or w.ndim == 0:
        _gather_part(&w, split, 0, w.sizes[split] if w.ndim > 0 else 1, out, <char*>src,
                     <char*>index, size, dim_stride, itemsize)
        return
    for part in prange(parts, num_threads=parts, schedule="static"):
        _gather_part(&w, split, w.sizes[split] * part // parts,
                     w.sizes[split] * (part + 1) // parts, out, <char*>src, <char*>index, size,
                     dim_stride, itemsize)
