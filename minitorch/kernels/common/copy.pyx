"""Strided copies: coalesce, choose the innermost loop, iterate over the other dimensions.

One tight loop handles at most two inner dimensions (`_rows`, `_transpose`), and an index is advanced over the
outer ones, so that its cost is shared by many elements.

Invariants
----------
After `coalesce` the last dimension has the smallest destination stride, so writes go forward through memory
whatever the order of the dimensions was. If the source is contiguous along another dimension, these two are
processed in square tiles (`_transpose`), so that each cache line of either side is fetched once.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Item, Item16

cdef enum:
    TILE = 16              # a tile of 16 by 16 elements of 4 bytes touches one cache line per row


cdef int coalesce(int ndim, const Py_ssize_t* sizes,
                  const Py_ssize_t* a_strides, const Py_ssize_t* b_strides,
                  Py_ssize_t* out_sizes, Py_ssize_t* out_a, Py_ssize_t* out_b) noexcept nogil:
    cdef int d, j, n = 0, last
    cdef Py_ssize_t a, b, key
    for d in range(ndim):
        if sizes[d] == 0:
            return -1
        if sizes[d] == 1:
            continue
        a = a_strides[d]
        b = b_strides[d]
        key = a if a >= 0 else -a
        j = n
        # insertion from the right keeps the order of equal strides
        while j > 0 and (out_a[j - 1] if out_a[j - 1] >= 0 else -out_a[j - 1]) < key:
            out_sizes[j] = out_sizes[j - 1]
            out_a[j] = out_a[j - 1]
            out_b[j] = out_b[j - 1]
            j -= 1
        out_sizes[j] = sizes[d]
        out_a[j] = a
        out_b[j] = b
        n += 1
    if n < 2:
        return n
    last = 0
    for d in range(1, n):
        if (out_a[last] == out_a[d] * out_sizes[d]
                and out_b[last] == out_b[d] * out_sizes[d]):
            out_sizes[last] *= out_sizes[d]
        else:
            last += 1
            out_sizes[last] = out_sizes[d]
        out_a[last] = out_a[d]
        out_b[last] = out_b[d]
    return last + 1


# -- the inner loops: two dimensions, the second one innermost ------------------------------------

cdef simd _reversed_row(Item* d, const Item* last, Py_ssize_t n) noexcept nogil:
    """Copy a row backwards, from its last element."""
    cdef Py_ssize_t j
    for j in range(n):
        d[j] = last[-j]


cdef inline void _rows_of(Item* tag, Py_ssize_t n0, Py_ssize_t n1,
                          char* d, Py_ssize_t d0, Py_ssize_t d1,
                          const char* s, Py_ssize_t s0, Py_ssize_t s1) noexcept nogil:
    cdef Py_ssize_t _i, j
    cdef Item value
    cdef Item* dense
    for _i in range(n0):
        if d1 == sizeof(Item) and s1 == 0:
            value = (<const Item*>s)[0]
            dense = <Item*>d
            for j in range(n1):
                dense[j] = value
        elif d1 == sizeof(Item) and s1 == sizeof(Item):
            dense = <Item*>d
            for j in range(n1):
                dense[j] = (<const Item*>s)[j]
        elif d1 == sizeof(Item) and s1 == -<Py_ssize_t>sizeof(Item):
            _reversed_row(<Item*>d, <const Item*>s, n1)
        else:
            for j in range(n1):
                (<Item*>(d + j * d1))[0] = (<const Item*>(s + j * s1))[0]
        d += d0
        s += s0


cdef inline bint _is_one_byte(Py_ssize_t n0, const char* s, Py_ssize_t s0,
                              Py_ssize_t itemsize) noexcept nogil:
    """Return whether all rows get one value whose bytes are all equal, as for zero."""
    cdef Py_ssize_t i
    if n0 > 1 and s0 != 0:
        return False
    for i in range(1, itemsize):
        if s[i] != s[0]:
            return False
    return True


cdef void _rows(Py_ssize_t itemsize, Py_ssize_t n0, Py_ssize_t n1,
                char* d, Py_ssize_t d0, Py_ssize_t d1,
                const char* s, Py_ssize_t s0, Py_ssize_t s1) noexcept nogil:
    cdef Py_ssize_t i, j
    if d1 == itemsize and s1 == itemsize and n1 * itemsize >= 64:
        for i in range(n0):
            memcpy(d + i * d0, s + i * s0, n1 * itemsize)
    elif d1 == itemsize and s1 == 0 and n1 * itemsize >= 64 and _is_one_byte(n0, s, s0, itemsize):
        for i in range(n0):
            memset(d + i * d0, s[0], n1 * itemsize)
    elif itemsize == 4:
        _rows_of(<uint32_t*>NULL, n0, n1, d, d0, d1, s, s0, s1)
    elif itemsize == 8:
        _rows_of(<uint64_t*>NULL, n0, n1, d, d0, d1, s, s0, s1)
    elif itemsize == 1:
        _rows_of(<uint8_t*>NULL, n0, n1, d, d0, d1, s, s0, s1)
    elif itemsize == 2:
        _rows_of(<uint16_t*>NULL, n0, n1, d, d0, d1, s, s0, s1)
    elif itemsize == 16:
        _rows_of(<Item16*>NULL, n0, n1, d, d0, d1, s, s0, s1)
    else:
        for i in range(n0):
            for j in range(n1):
                memcpy(d + i * d0 + j * d1, s + i * s0 + j * s1, itemsize)


cdef inline void _tile_of(Item* tag, Py_ssize_t n0, Py_ssize_t n1,
                          char* d, Py_ssize_t d0,
                          const char* s, Py_ssize_t s1) noexcept nogil:
    # d is contiguous along dimension 1, s along 0. A full tile has constant bounds that can be unrolled. Writing
    # whole lines and reading scattered elements is fastest, unless the lines are a power of two apart. Then they
    # map to the same cache set, which cannot hold them all. In that case the tile is transposed in a buffer, so
    # that every line is accessed once.
    cdef Py_ssize_t i, j
    cdef Item buffer[TILE * TILE]
    cdef Item* row
    cdef const Item* line
    if n0 == TILE and n1 == TILE and (s1 % 1024 == 0 or d0 % 1024 == 0 or sizeof(Item) == 1):
        for j in range(TILE):
            line = <const Item*>(s + j * s1)
            for i in range(TILE):
                buffer[i * TILE + j] = line[i]
        for i in range(TILE):
            memcpy(d + i * d0, &buffer[i * TILE], TILE * sizeof(Item))
    elif n0 == TILE and n1 == TILE:
        for i in range(TILE):
            row = <Item*>(d + i * d0)
            for j in range(TILE):
                row[j] = (<const Item*>(s + i * <Py_ssize_t>sizeof(Item) + j * s1))[0]
    else:
        _corner_of(tag, n0, n1, d, d0, s, s1)


cdef inline void _corner_of(Item* tag, Py_ssize_t n0, Py_ssize_t n1,
                            char* d, Py_ssize_t d0,
                            const char* s, Py_ssize_t s1) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef Item* row
    for i in range(n0):
        row = <Item*>(d + i * d0)
        for j in range(n1):
            row[j] = (<const Item*>(s + i * <Py_ssize_t>sizeof(Item) + j * s1))[0]


cdef inline void _transpose_of(Item* tag, Py_ssize_t n0, Py_ssize_t n1,
                               char* d, Py_ssize_t d0,
                               const char* s, Py_ssize_t s1) noexcept nogil:
    cdef Py_ssize_t i = 0, j, ni, nj, item = sizeof(Item)
    while i < n0:
        ni = n0 - i if n0 - i < TILE else TILE
        j = 0
        while j < n1:
            nj = n1 - j if n1 - j < TILE else TILE
            _tile_of(tag, ni, nj, d + i * d0 + j * item, d0, s + i * item + j * s1, s1)
            j += TILE
        i += TILE


cdef void _transpose(Py_ssize_t itemsize, Py_ssize_t n0, Py_ssize_t n1,
                     char* d, Py_ssize_t d0, const char* s, Py_ssize_t s1) noexcept nogil:
    if itemsize == 4:
        _transpose_of(<uint32_t*>NULL, n0, n1, d, d0, s, s1)
    elif itemsize == 8:
        _transpose_of(<uint64_t*>NULL, n0, n1, d, d0, s, s1)
    elif itemsize == 1:
        _transpose_of(<uint8_t*>NULL, n0, n1, d, d0, s, s1)
    elif itemsize == 2:
        _transpose_of(<uint16_t*>NULL, n0, n1, d, d0, s, s1)
    else:
        _transpose_of(<Item16*>NULL, n0, n1, d, d0, s, s1)


# -- the walk -------------------------------------------------------------------------------------

cdef void _walk(int n, Py_ssize_t* sizes, char* dst, Py_ssize_t* a,
                const char* src, Py_ssize_t* b, Py_ssize_t itemsize) noexcept nogil:
    """Copy the part of one thread; the layout is coalesced, and its dimensions may be reordered."""
    cdef Py_ssize_t index[MAX_DIMS]
    cdef int outer = n - 2, column = -1, d
    cdef Py_ssize_t size
    cdef char* source = <char*>src
    if n == 0:
        memcpy(dst, src, itemsize)
        return
    if n == 1:
        _rows(itemsize, 1, sizes[0], dst, 0, a[0], src, 0, b[0])
        return
    if a[n - 1] == itemsize and b[n - 1] != itemsize and b[n - 1] != 0 and (
            itemsize <= 8 and (itemsize & (itemsize - 1)) == 0 or itemsize == 16):
        for d in range(n - 1):
            if b[d] == itemsize and sizes[d] >= 4 and sizes[n - 1] >= 4:
                column = d
    if column >= 0:
        # move the contiguous dimension of the source next to the last one
        size = sizes[column]
        sizes[column] = sizes[outer]
        sizes[outer] = size
        size = a[column]
        a[column] = a[outer]
        a[outer] = size
        b[column] = b[outer]
        b[outer] = itemsize
    memset(index, 0, outer * sizeof(Py_ssize_t))
    while True:
        if column >= 0:
            _transpose(itemsize, sizes[outer], sizes[outer + 1], dst, a[outer],
                       source, b[outer + 1])
        else:
            _rows(itemsize, sizes[outer], sizes[outer + 1], dst, a[outer], a[outer + 1],
                  source, b[outer], b[outer + 1])
        if not advance(outer, sizes, index, a, &dst, b, &source):
            return


cdef void _part(int part, int parts, int split, int n, const Py_ssize_t* sizes,
                char* dst, const Py_ssize_t* a, const char* src, const Py_ssize_t* b,
                Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t my_sizes[MAX_DIMS]
    cdef Py_ssize_t my_a[MAX_DIMS]
    cdef Py_ssize_t my_b[MAX_DIMS]
    cdef Py_ssize_t low = sizes[split] * part // parts
    cdef Py_ssize_t high = sizes[split] * (part + 1) // parts
    if low == high:
        return
    memcpy(my_sizes, sizes, n * sizeof(Py_ssize_t))
    memcpy(my_a, a, n * sizeof(Py_ssize_t))
    memcpy(my_b, b, n * sizeof(Py_ssize_t))
    my_sizes[split] = high - low
    _walk(n, my_sizes, dst + low * a[split], my_a, src + low * b[split], my_b, itemsize)


cdef void copy_strided(int ndim, const Py_ssize_t* sizes,
                       char* dst, const Py_ssize_t* dst_strides,
                       const char* src, const Py_ssize_t* src_strides,
                       Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t size[MAX_DIMS]
    cdef Py_ssize_t a[MAX_DIMS]
    cdef Py_ssize_t b[MAX_DIMS]
    cdef int n = coalesce(ndim, sizes, dst_strides, src_strides, size, a, b)
    cdef int d, split = 0, parts, part
    cdef Py_ssize_t count = 1
    cdef bint same = dst == src
    if n < 0:
        return
    for d in range(n):
        count *= size[d]
        same = same and a[d] == b[d]
        if size[split] < 8 and size[d] > size[split]:
            split = d
    if same:
        return
    # nanoseconds on one thread: 12 bytes per nanosecond if whole rows are copied, else two elements
    parts = threads_for(count * itemsize // 12 if n > 0 and b[n - 1] == itemsize else count // 2)
    if parts <= 1 or n == 0:
        _walk(n, size, dst, a, src, b, itemsize)
        return
    for part in prange(parts, num_threads=parts, schedule="static"):
        _part(part, parts, split, n, size, dst, a, src, b, itemsize)


cdef void fill_strided(int ndim, const Py_ssize_t* sizes,
                       char* dst, const Py_ssize_t* dst_strides,
                       const char* value, Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t zero[MAX_DIMS]
    memset(zero, 0, ndim * sizeof(Py_ssize_t))
    copy_strided(ndim, sizes, dst, dst_strides, value, zero, itemsize)
