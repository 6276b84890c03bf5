# Matrix products by register tiles, for float32 and float64.

from posix.stdlib cimport posix_memalign

from minitorch.kernels.common.types cimport Real
from minitorch.kernels.linalg.matrix cimport Matrix

# c = alpha * a @ b + beta * c for a c whose rows have no gaps, and any strides of a and b; no operand is empty.
# With beta = 0, c is not read. Runs over threads. Returns a BlasStatus.
cdef int tile_gemm(Real alpha, const Matrix* a, const Matrix* b, Real beta,
                   const Matrix* c) noexcept nogil

# Whether the tiles are at least as fast as SciPy's BLAS on this processor
cdef bint tiles_are_fast() noexcept nogil

cdef enum:
    K_BLOCK = 512              # terms of a sum that are processed at a time
    MAX_WIDTH = 48             # columns of the widest tile

# Pack rows [i0, i0 + m) and columns [k0, k0 + n) of alpha * a in the order of tiles, [row / 8][column][8], with
# zeros up to a multiple of eight rows
cdef void pack_a(Real alpha, const Matrix* a, Py_ssize_t i0, Py_ssize_t m, Py_ssize_t k0,
                 Py_ssize_t n, Real* out) noexcept nogil

# Pack rows [k0, k0 + n) and columns [j0, j0 + columns) of b in panels of `width` columns, filled up with zeros
cdef void pack_b(const Matrix* b, Py_ssize_t k0, Py_ssize_t n, Py_ssize_t j0, Py_ssize_t columns,
                 Py_ssize_t width, Real* out) noexcept nogil

# out[k * width + i] = source[i * line + k] for TILE_ROWS lines i of n elements
cdef void turn(Py_ssize_t n, const Real* source, Py_ssize_t line, Real* out,
               Py_ssize_t width) noexcept nogil

# Compute all tiles of m rows and `columns` columns of c: the product of packed a and b, in panels of three
# vectors of columns, `panel` elements apart, whose k rows begin at the offsets. `start` as in tile_types.pxd.
cdef void tile_block(int lanes, Py_ssize_t k, const Real* a, Py_ssize_t m, const Real* b,
                     Py_ssize_t panel, Py_ssize_t columns, const int* offsets, Real* c,
                     Py_ssize_t ldc, const Real* start) noexcept nogil

# Allocate memory aligned to vectors, so that no vector of a panel spans two cache lines; NULL if there is none.
# Free it with free().
cdef inline void* panel_memory(size_t size) noexcept nogil:
    cdef void* memory = NULL
    return memory if posix_memalign(&memory, 64, size) == 0 else NULL
