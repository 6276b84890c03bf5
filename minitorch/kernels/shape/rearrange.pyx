"""roll, tril and triu, by blocks of `copy_strided` and `fill_strided`."""

from libc.string cimport memset

from minitorch.kernels.common.copy cimport MAX_DIMS, advance, copy_strided, fill_strided


cdef void roll(int ndim, const Py_ssize_t* sizes, char* dst, const Py_ssize_t* dst_strides,
               const char* src, const Py_ssize_t* src_strides, const Py_ssize_t* shifts,
               Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t shift[MAX_DIMS]
    cdef Py_ssize_t block[MAX_DIMS]
    cdef bint wrapped[MAX_DIMS]
    cdef char* to
    cdef const char* by
    cdef int d
    for d in range(ndim):
        if sizes[d] == 0:
            return
        shift[d] = shifts[d] % sizes[d]
        shift[d] += sizes[d] if shift[d] < 0 else 0
        wrapped[d] = False
    # In every rolled dimension the source consists of two pieces, one that stays before the edge and one that
    # wraps around it; each combination of pieces is one block.
    while True:
        to = dst
        by = src
        for d in range(ndim):
            if wrapped[d]:
                block[d] = shift[d]
                by += (sizes[d] - shift[d]) * src_strides[d]
            else:
                block[d] = sizes[d] - shift[d]
                to += shift[d] * dst_strides[d]
        copy_strided(ndim, block, to, dst_strides, by, src_strides, itemsize)
        d = ndim - 1
        while d >= 0 and (wrapped[d] or shift[d] == 0):
            wrapped[d] = False
            d -= 1
        if d < 0:
            return
        wrapped[d] = True


cdef void triangle(int ndim, const Py_ssize_t* sizes, char* dst, const Py_ssize_t* dst_strides,
                   const char* src, const Py_ssize_t* src_strides, Py_ssize_t diagonal,
                   bint upper, Py_ssize_t itemsize) noexcept nogil:
    cdef Py_ssize_t position[MAX_DIMS]
    cdef char zero[16]
    cdef char* to
    cdef char* source = <char*>src
    cdef const char* by
    cdef Py_ssize_t i, first, kept, rows = sizes[ndim - 2], cols = sizes[ndim - 1]
    cdef Py_ssize_t t = dst_strides[ndim - 1], s = src_strides[ndim - 1]
    cdef int d
    for d in range(ndim):
        if sizes[d] == 0:
            return
    memset(zero, 0, sizeof(zero))
    memset(position, 0, ndim * sizeof(Py_ssize_t))
    while True:
        for i in range(rows):
            # columns before `first` are on or below the diagonal
            first = i + diagonal + (0 if upper else 1)
            first = 0 if first < 0 else cols if first > cols else first
            to = dst + i * dst_strides[ndim - 2]
            by = source + i * src_strides[ndim - 2]
            kept = cols - first
            if upper:
                fill_strided(1, &first, to, &t, zero, itemsize)
                copy_strided(1, &kept, to + first * t, &t, by + first * s, &s, itemsize)
            else:
                copy_strided(1, &first, to, &t, by, &s, itemsize)
                fill_strided(1, &kept, to + first * t, &t, zero, itemsize)
        if not advance(ndim - 2, sizes, position, dst_strides, &dst, src_strides, &source):
            return
