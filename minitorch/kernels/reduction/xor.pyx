"""The exclusive or of the bits of all elements, which have 64 bits."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from minitorch.core.dtype cimport UInt64
from minitorch.kernels.reduction.reduction cimport Finish, Merge, Reducer, Reduction, Tile, reduce


cdef void _tile(uint64_t* acc, const char* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil:
    cdef Py_ssize_t _, j
    for _ in range(n):
        for j in range(m):
            acc[j] ^= (<const uint64_t*>(x + j * sm))[0]
        x += sn


cdef void _merge(uint64_t* acc, const uint64_t* other, Py_ssize_t m) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        acc[j] ^= other[j]


cdef void _finish(const uint64_t* acc, Py_ssize_t m, char* out, Py_ssize_t step, char* out2,
                  Py_ssize_t step2, Py_ssize_t count, int out_dtype,
                  double parameter) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(m):
        (<uint64_t*>(out + j * step))[0] = acc[j]


cdef void xor_kernel(char* input, char* out, const Reduction* r) noexcept nogil:
    cdef Reducer k
    memset(&k, 0, sizeof(Reducer))
    k.itemsize = k.acc_size = 8
    k.tile = <Tile>_tile
    k.merge = <Merge>_merge
    k.finish = <Finish>_finish
    k.out_dtype = UInt64
    k.cost = 160
    reduce(&k, input, out, NULL, r)
