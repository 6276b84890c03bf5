# The innermost products of a convolution: tiles of eight rows by up to three vectors of columns, kept in
# registers for the whole sum.
#
#     c[i, j] = start[i] + sum over k < n of a[k * rows + i] * b[offsets[k] + j]
#
# `a` is packed (rows interleaved). `b` can be any array whose rows start at the given offsets, such as packed
# columns or an image. The tiles read and write whole vectors, `columns` of them; the caller passes a buffer for
# elements at the edge.

cdef extern from *:
    "#define minitorch_prefetch(p) __builtin_prefetch(p, 0, 2)"
    void minitorch_prefetch(const void* p) noexcept nogil    # moves a line into the second-level cache

# start == NULL adds to the content of c. ldc: elements between rows of c. offsets: in elements.
ctypedef void (*Tile32)(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                        float* c, Py_ssize_t ldc, const float* start) noexcept nogil
ctypedef void (*Tile64)(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                        double* c, Py_ssize_t ldc, const double* start) noexcept nogil

# The same, and the elements that follow those of b at a distance, which the processor does not expect to be
# read next, are moved into the cache
ctypedef void (*Ahead32)(Py_ssize_t n, const float* a, const float* b, const int* offsets, float* c,
                         Py_ssize_t ldc, const float* start, Py_ssize_t ahead) noexcept nogil
ctypedef void (*Ahead64)(Py_ssize_t n, const double* a, const double* b, const int* offsets, double* c,
                         Py_ssize_t ldc, const double* start, Py_ssize_t ahead) noexcept nogil

# The same as a tile for an `a` that is not packed: c[i, j] = sum over k < n of a[i * lda + k] * b[offsets[k] + j]
ctypedef void (*Rows32)(Py_ssize_t n, const float* a, Py_ssize_t lda, const float* b,
                        const int* offsets, float* c, Py_ssize_t ldc) noexcept nogil
ctypedef void (*Rows64)(Py_ssize_t n, const double* a, Py_ssize_t lda, const double* b,
                        const int* offsets, double* c, Py_ssize_t ldc) noexcept nogil

# Sums along n columns, a multiple of the lanes: out[i] += sum over j of a[j] * b[offsets[i] + j]
ctypedef void (*Dots32)(Py_ssize_t n, const float* a, const float* b, const int* offsets,
                        float* out) noexcept nogil
ctypedef void (*Dots64)(Py_ssize_t n, const double* a, const double* b, const int* offsets,
                        double* out) noexcept nogil

# out[0] += sum over j < n of a[j] * b[j], for n a multiple of 8 * lanes
ctypedef void (*Dot32)(Py_ssize_t n, const float* a, const float* b, float* out) noexcept nogil
ctypedef void (*Dot64)(Py_ssize_t n, const double* a, const double* b, double* out) noexcept nogil

cdef enum:
    TILE_ROWS = 8              # rows of the tiles in `tile`
    TILE_VECTORS = 3           # maximum number of vectors in `tile`
    LINE_VECTORS = 6           # maximum number of vectors in `line`
    TILE_SLACK = 128           # elements that may be read or written beyond an edge

cdef struct Tiles:
    int lanes                  # elements in a vector of this processor
    void* tile[4]              # [v]: 8 rows by v vectors, v from 1 to 3
    void* ahead                # the same as tile[3] for a b that is not in the cache
    void* rows[4]              # [v]: the same, with the rows of a in place
    void* line[7]              # [v]: 1 row by v vectors, v = 1, 2, 3 or 6
    void* dots8                # 8 sums
    void* dots1                # 1 sum
    void* dot
