# One reduction, and the iteration that all reductions share. A kernel (sum, amax, var, ...) provides a `Reducer`:
# how a two-dimensional tile of the input is added to an array of accumulators, and how an accumulator becomes a
# result. `reduce` iterates over the remaining dimensions and splits the work over threads.

from libc.stdint cimport uint64_t

from minitorch.kernels.common.widening cimport Load

cdef enum:
    REDUCE_BLOCK = 512      # maximum number of results that a tile accumulates at once
    MAX_ACC = 24            # bytes of the largest accumulator

# The dimensions of one reduction. All strides are in bytes. Dimensions of size one are left out, and the last
# dimension of either group is the one with the smallest input stride. `plan_reduction` produces this form, on
# which kernels rely for speed but not for correctness.
cdef struct Reduction:
    int kept_ndim                       # dimensions that are kept
    int reduced_ndim                    # dimensions that are reduced
    Py_ssize_t kept_sizes[64]
    Py_ssize_t kept_in_strides[64]
    Py_ssize_t kept_out_strides[64]
    Py_ssize_t kept_out2_strides[64]    # of the second result, if the kernel has two
    Py_ssize_t reduced_sizes[64]
    Py_ssize_t reduced_strides[64]

# Fills `r` from the dimensions of the input. `out_strides` and `out2_strides` have ndim entries too; entries for
# reduced dimensions are not read, and out2_strides may be NULL. Bit d of `reduced` is set if dimension d is
# reduced. With `ordered` the reduced dimensions keep their order, so that positions among the reduced elements
# follow the order of the input's indices. Arg-reductions over several dimensions need that.
cdef void plan_reduction(Reduction* r, int ndim, const Py_ssize_t* sizes,
                         const Py_ssize_t* in_strides, const Py_ssize_t* out_strides,
                         const Py_ssize_t* out2_strides, uint64_t reduced,
                         bint ordered) noexcept nogil

cdef Py_ssize_t reduced_count(const Reduction* r) noexcept nogil   # input elements per result

# Stores `r` in `parts` with real and imaginary parts as one more kept dimension of size two.
cdef void split_complex(const Reduction* r, Reduction* parts, Py_ssize_t part_size) noexcept nogil

# Adds the n elements x[j * sm + i * sn], i < n, to acc[j], for every j < m (m <= REDUCE_BLOCK). The element with
# i = 0 has position `first` among the reduced elements of its result.
ctypedef void (*Tile)(char* acc, const char* x, Py_ssize_t m, Py_ssize_t sm, Py_ssize_t n,
                      Py_ssize_t sn, Py_ssize_t first, double parameter) noexcept nogil
# Merges other[j], which has processed later elements, into acc[j]
ctypedef void (*Merge)(char* acc, const char* other, Py_ssize_t m) noexcept nogil
# Writes m results, each of `count` input elements
ctypedef void (*Finish)(const char* acc, Py_ssize_t m, char* out, Py_ssize_t out_step,
                        char* out2, Py_ssize_t out2_step, Py_ssize_t count, int out_dtype,
                        double parameter) noexcept nogil

cdef struct Reducer:
    Tile tile
    Merge merge
    Finish finish
    Load load               # converts the input for the tile; NULL if the tile reads the input directly
    int itemsize            # bytes of the elements the tile reads
    int acc_size            # bytes of one accumulator, at most MAX_ACC
    char initial[24]        # an empty accumulator
    int out_dtype
    int cost                # picoseconds per element on one thread, roughly
    double parameter        # parameter of the operation (p of a norm, correction of a variance)

# Writes results to `out`, and to `out2` if the kernel has a second one. If there are no elements to reduce (a
# reduced size of 0), the results are those of empty accumulators.
cdef void reduce(const Reducer* k, const char* input, char* out, char* out2,
                 const Reduction* r) noexcept nogil
