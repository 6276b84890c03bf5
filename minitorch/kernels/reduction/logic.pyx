"""any, all and the count of nonzero elements.

All three count: `count_nonzero` and `any` the nonzero elements, `all` the zeros. Whether an element is zero
depends only on its bits without the signs, so there is one loop for each width and not for each dtype. `any` and
`all` skip results that are decided.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from minitorch.core.dtype cimport NUM_SCALAR_TYPES, Complex128, Complex64, has_float_kernels, itemsizes
from minitorch.kernels.common.always_inline cimport inlined
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.types cimport Unsigned
from minitorch.kernels.reduction.reduction cimport REDUCE_BLOCK, Finish, Reducer, Reduction, Tile, reduce

cdef enum Question:
    COUNT
    ANY
    ALL

cdef enum:
    CHUNK = 4096


cdef inline inlined _count_row(const Unsigned* x, Py_ssize_t n, Unsigned mask,
                               int64_t* result) noexcept nogil:
    cdef int32_t count = 0
    cdef Py_ssize_t i
    for i in range(n):
        count += (x[i] & mask) != 0
    result[0] = count


cdef inline inlined _count_columns(int64_t* acc, const Unsigned* x, Py_ssize_t m, Py_ssize_t n,
                                   Py_ssize_t row, Unsigned mask, bint zeros) noexcept nogil:
    cdef int32_t[REDUCE_BLOCK] count
    cdef Py_ssize_t _, j
    for j in range(m):
        count[j] = 0
    for _ in range(n):
        for j in range(m):
            count[j] += (x[j] & mask) != 0
        x += row
    for j in range(m):
        acc[j] += n - count[j] if zeros else count[j]


cdef simd _tile(int64_t* acc, const Unsigned* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    cdef Py_ssize_t i = 0, j, c, k, size = sizeof(Unsigned)
    cdef const char* p = <const char*>x
    cdef int question = <int>parameter & 3
    cdef Unsigned mask = <Unsigned>-1
    cdef int64_t count
    if <int>parameter >= 4:          # ignore a sign bit
        mask >>= 1
        if Unsigned is uint64_t:
            if <int>parameter >= 8:  # and another one, of a real part
                mask &= ~(<uint64_t>1 << 31)
    while i < n:
        c = n - i if n - i < CHUNK else CHUNK
        if sm == size and m >= 8 and sn % size == 0 and (sn != size or n < 8):
            _count_columns(acc, <const Unsigned*>p, m, c, sn // size, mask, question == ALL)
        else:
            for j in range(m):
                if question != COUNT and acc[j] != 0:
                    continue              # decided
                if sn == size:
                    _count_row(<const Unsigned*>(p + j * sm), c, mask, &count)
                else:
                    count = 0
                    for k in range(c):
                        count += ((<const Unsigned*>(p + j * sm + k * sn))[0] & mask) != 0
                acc[j] += c - count if question == ALL else count
        p += c * sn
        i += c


cdef void _complex128_tile(int64_t* acc, const char* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                           Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef int zeros = (<int>parameter & 3) == ALL
    cdef const double* v
    for j in range(m):
        for i in range(n):
            v = <const double*>(x + j * sm + i * sn)
            acc[j] += ((v[0] != 0) | (v[1] != 0)) ^ zeros


cdef void _merge(char* acc, const char* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<int64_t*>acc)[j] += (<const int64_t*>other)[j]


cdef void _finish(const char* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                  Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                  double parameter) noexcept nogil:
    cdef const int64_t* counted = <const int64_t*>acc
    cdef int question = <int>parameter & 3
    cdef Py_ssize_t j
    for j in range(m):
        if question == COUNT:
            (<int64_t*>(out + j * step))[0] = counted[j]
        elif question == ANY:
            out[j * step] = counted[j] != 0
        else:
            out[j * step] = counted[j] == 0


cdef int _run(int question, char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    cdef Reducer k
    cdef int signs = (8 if dtype == Complex64 else
                      4 if has_float_kernels(dtype) else 0)
    if dtype < 0 or dtype >= NUM_SCALAR_TYPES or itemsizes[dtype] == 0:
        return 1
    k.itemsize = <int>itemsizes[dtype]
    if dtype == Complex128:
        k.tile = <Tile>_complex128_tile
    elif k.itemsize == 1:
        k.tile = <Tile>_tile[uint8_t]
    elif k.itemsize == 2:
        k.tile = <Tile>_tile[uint16_t]
    elif k.itemsize == 4:
        k.tile = <Tile>_tile[uint32_t]
    else:
        k.tile = <Tile>_tile[uint64_t]
    k.merge = _merge
    k.finish = <Finish>_finish
    k.load = NULL
    k.acc_size = 8
    memset(k.initial, 0, 8)
    k.out_dtype = dtype
    k.cost = 40 + k.itemsize * 15
    k.parameter = question + signs
    reduce(&k, input, out, NULL, r)
    return 0


cdef int any_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    return _run(ANY, input, out, r, dtype)


cdef int all_kernel(char* input, char* out, const Reduction* r, int dtype) noexcept nogil:
    return _run(ALL, input, out, r, dtype)


cdef int count_nonzero_kernel(char* input, char* out, const Reduction* r,
                              int dtype) noexcept nogil:
    return _run(COUNT, input, out, r, dtype)
