# Random integers and permutations, with the conventions of distributions.pxd.

from libc.stdint cimport int64_t, uint64_t

from minitorch.core.generator cimport Generator

# The range of random_(from_, to) for a dtype, after PyTorch's checks: `size` numbers from `base` on. Without
# has_to, `to` is one more than the dtype's maximum. Returns 1 if the range is all 64-bit patterns, for which
# random_full_64_bits_range is used. A floating dtype gets a range whose ends it can represent, with a UserWarning
# if it cannot represent every integer in between.
cdef int random_range(int dtype, int64_t from_, bint has_to, int64_t to, uint64_t* size,
                      int64_t* base) except -1

# base <= x < base + size, by remainder; from 64 bits if size >= 2**28
cdef int random_from_to(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                        uint64_t size, int64_t base) except -1 nogil
# all 64-bit patterns: random_(-2**63, None)
cdef int random_full_64_bits_range(Generator generator, int dtype, char* out, Py_ssize_t n,
                                   Py_ssize_t step) except -1 nogil
# random_(): 0 to the dtype's maximum; for a floating dtype, to 2**(number of its digits)
cdef int random_(Generator generator, int dtype, char* out, Py_ssize_t n,
                 Py_ssize_t step) except -1 nogil

# 0 to n - 1 in random order; `out` is contiguous
cdef int randperm(Generator generator, int dtype, char* out, Py_ssize_t n) except -1 nogil
