# Common to a convolution and its gradient with respect to the input: every output is a sum over channels and taps
# of input values at shifted positions,
#
#     y[r, o] = bias[r] + sum over channels c and taps t of w[r, c, t] * x[c, o * step + shift[t]]
#
# where positions outside the input count as 0. A plain convolution has step = stride and shift = tap * dilation -
# padding. The gradient with respect to the input splits into one correlation with step 1 for each phase of the
# stride, each with the taps of that phase.

from minitorch.kernels.common.types cimport Real

# One spatial dimension
cdef struct Axis:
    Py_ssize_t n_in
    Py_ssize_t n_out
    Py_ssize_t step
    int taps                   # number of taps that contribute
    int* tap                   # their positions in the kernel
    Py_ssize_t* shift          # the shift of each of them

cdef struct Correlation:
    Py_ssize_t batch
    Py_ssize_t groups
    Py_ssize_t channels        # of the input, in each group
    Py_ssize_t rows            # of the output, in each group
    Axis axis[3]
    # The input: strides in elements, 1 in the last dimension
    const void* x
    Py_ssize_t x_image
    Py_ssize_t x_channel
    Py_ssize_t x_size[3]       # strides of the spatial dimensions
    # The weight: distance from one group, row or channel to the next; taps are contiguous
    const void* w
    Py_ssize_t w_group
    Py_ssize_t w_row
    Py_ssize_t w_channel
    Py_ssize_t kernel[3]
    const void* bias           # for each output channel of all groups, or NULL
    # The output
    void* y
    Py_ssize_t y_image
    Py_ssize_t y_channel
    Py_ssize_t y_size[3]

# How the input is divided into blocks of lines, the units of work; see Note [No im2col]
cdef struct Blocks:
    Py_ssize_t lines           # output lines of a full block
    Py_ssize_t count           # in each output plane
    Py_ssize_t tasks           # images * groups * output planes * count
    Py_ssize_t block_lines     # lines in memory: one for each needed input line
    Py_ssize_t inner           # channels * taps
    int* offsets               # [inner]: where the row of a term begins in the block
    Py_ssize_t* line           # [block_lines]: its input line, relative to the first of the block
    Py_ssize_t size            # elements of a block, including those that tiles may read beyond it
    Py_ssize_t left            # input column where padded lines begin, relative to the column of the first output
    Py_ssize_t width           # of a padded line; block_lines of them follow the block; 0: none are used

# One task
cdef struct Block:
    Py_ssize_t image
    Py_ssize_t group
    Py_ssize_t plane           # of the output
    Py_ssize_t first           # first output line
    Py_ssize_t lines

# Chooses the height of the blocks for this number of threads. Pass `out` to `free_blocks` afterwards, even if
# this fails.
cdef int lay_out(const Correlation* c, Py_ssize_t itemsize, int parts, Blocks* out) noexcept nogil
cdef void free_blocks(Blocks* b) noexcept nogil

# Return the block that a task works on
cdef Block block_of(const Correlation* c, const Blocks* b, Py_ssize_t task) noexcept nogil

# Allocate memory for one block, and fill it; `tag` only selects the type
cdef Real* new_block(Real* tag, const Blocks* b) noexcept nogil
cdef void fill_block(const Correlation* c, const Blocks* b, const Block* at,
                     Real* out) noexcept nogil
