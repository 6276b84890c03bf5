# One reduction, and the walk that all reductions share. A kernel (sum, amax, var, ...) brings a
# `Reducer`: how a two-dimensional tile of the input enters an array of accumulators, and how an
# accumulator becomes a result. `reduce` walks the remaining dimensions and the threads.

from libc.stdint cimport uint64_t

from minitorch.kernels.widening cimport Load

cdef enum:
    REDUCE_BLOCK = 512      # most results a tile accumulates at once
    MAX_ACC = 24            # bytes of the largest accumulator

# The dimensions of one reduction. All strides are in bytes. Size-one dimensions are left out, and
# the last dimension of either group is the one with the smallest input stride: `plan_reduction`
# brings them into this form, which the kernels rely on for speed, not for correctness.
cdef struct Reduction:
    int kept_ndim                       # dimensions that stay
    int reduced_ndim                    # dimensions that are reduced
    Py_ssize_t kept_sizes[64]
    Py_ssize_t kept_in_strides[64]
    Py_ssize_t kept_out_strides[64]
    Py_ssize_t kept_out2_strides[64]    # of the second result, where a kernel has two
    Py_ssize_t reduced_sizes[64]
    Py_ssize_t reduced_strides[64]

# Fills `r` from the input's dimensions. `out_strides` and `out2_strides` have ndim entries as well
# (their entries for reduced dimensions are not read; out2_strides may be NULL). Bit d of `reduced`
# says that dimension d is reduced. With `ordered` the reduced dimensions keep their order, so that
# positions among the reduced elements count in the order of the input's indices: arg-reductions
# over more than one dimension want that.
cdef void plan_reduction(Reduction* r, int ndim, const Py_ssize_t* sizes,
                         const Py_ssize_t* in_strides, const Py_ssize_t* out_strides,
                         const Py_ssize_t* out2_strides, uint64_t reduced,
                         bint ordered) noexcept nogil

cdef Py_ssize_t reduced_count(const Reduction* r) noexcept nogil   # input elements per result

# `parts` becomes `r` seen on the real and imaginary parts: one more kept dimension of size two.
cdef void split_complex(const Reduction* r, Reduction* parts, Py_ssize_t part_size) noexcept nogil

# acc[j] takes in the n elements x[j * sm + i * sn], i < n, for every j < m (m <= REDUCE_BLOCK);
# x[...] with i = 0 is number `first` among the reduced elements of its result.
ctypedef void (*Tile)(char* acc, const char* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                      Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil
# acc[j] takes in other[j], which has seen later elements
ctypedef void (*Merge)(char* acc, const char* other, Py_ssize_t m) noexcept nogil
# writes m results, `count` input elements having gone into each
ctypedef void (*Finish)(const char* acc, Py_ssize_t m, char* out, Py_ssize_t out_step,
                        char* out2, Py_ssize_t out2_step, Py_ssize_t count, int out_dtype,
                        double parameter) noexcept nogil

cdef struct Reducer:
    Tile tile
    Merge merge
    Finish finish
    Load load               # reads the input for the tile; NULL when the tile reads it directly
    int itemsize            # bytes of the elements the tile reads
    int acc_size            # bytes of one accumulator, at most MAX_ACC
    char initial[24]        # an accumulator that has seen nothing
    int out_dtype
    int cost                # picoseconds per element on one thread, roughly
    double parameter        # of the operation (a norm's p, a variance's correction)

# Results go to `out`, and to `out2` if the kernel has a second one. Where nothing is reduced
# (a reduced size of 0) the results are those of empty accumulators.
cdef void reduce(const Reducer* k, const char* input, char* out, char* out2,
                 const Reduction* r) noexcept nogil
