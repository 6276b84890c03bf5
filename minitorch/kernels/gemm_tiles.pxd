# Matrix products by register tiles, for float32 and float64.

from posix.stdlib cimport posix_memalign

from minitorch.kernels.blas cimport Matrix

ctypedef fused Real:
    float
    double

# c = alpha * a @ b + beta * c for a c whose rows have no gaps; any strides of a and b; nothing is
# empty. beta = 0 does not read c. Over threads. Returns a BlasStatus.
cdef int tile_gemm(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                   const Matrix* c) noexcept nogil

# Whether this processor's tiles do at least as well as the BLAS that SciPy brings
cdef bint tiles_are_fast() noexcept nogil

cdef enum:
    K_BLOCK = 512              # terms of a sum before the next ones

# Rows [i0, i0 + m) and columns [k0, k0 + n) of alpha * a in the order of tiles,
# [row / 8][column][8], with zeros up to the eighth row
cdef void pack_a(Real alpha, const Matrix* a, Py_ssize_t i0, Py_ssize_t m, Py_ssize_t k0,
                 Py_ssize_t n, Real* out) noexcept nogil

# Rows [k0, k0 + n) and columns [j0, j0 + columns) of b, in panels of `width` columns, with zeros up to the last one
cdef void pack_b(const Matrix* b, Py_ssize_t k0, Py_ssize_t n, Py_ssize_t j0, Py_ssize_t columns,
                 Py_ssize_t width, Real* out) noexcept nogil

# All tiles of m rows and `columns` columns of c: the product of packed a and of b, in panels of
# three vectors of columns whose k rows begin at the offsets. `start` as in tiles.pxd.
cdef void tile_block(int lanes, Py_ssize_t k, const Real* a, Py_ssize_t m, const Real* b,
                     Py_ssize_t columns, const int* offsets, Real* c, Py_ssize_t ldc,
                     const Real* start) noexcept nogil

# Memory that begins where a vector may, so that no vector of a panel lies in two cache lines; NULL if there is none.
# To be freed as malloc's.
cdef inline void* panel_memory(size_t size) noexcept nogil:
    cdef void* memory = NULL
    return memory if posix_memalign(&memory, 64, size) == 0 else NULL
