# What a convolution and its gradient for the input have in common: every output is a sum over
# channels and taps of input values at shifted positions,
#
#     y[r, o] = bias[r] + sum over channels c and taps t of w[r, c, t] * x[c, o * step + shift[t]]
#
# where positions outside the input count as 0. A plain convolution has step = stride and
# shift = tap * dilation - padding; the gradient for the input falls into stride interleaved
# correlations with step 1, each with the taps that meet it.

# One spatial dimension
cdef struct Axis:
    Py_ssize_t n_in
    Py_ssize_t n_out
    Py_ssize_t step
    int taps                   # how many taps take part
    int* tap                   # their numbers in the kernel
    Py_ssize_t* shift          # and where they read

cdef struct Correlation:
    Py_ssize_t batch
    Py_ssize_t groups
    Py_ssize_t channels        # of the input, per group
    Py_ssize_t rows            # of the output, per group
    Axis axis[3]
    # The input: strides in elements, 1 in the last dimension
    const void* x
    Py_ssize_t x_image
    Py_ssize_t x_channel
    Py_ssize_t x_size[3]       # strides of the spatial dimensions
    # The weight: of one group to the next, one row, one channel; taps are contiguous
    const void* w
    Py_ssize_t w_group
    Py_ssize_t w_row
    Py_ssize_t w_channel
    Py_ssize_t kernel[3]
    const void* bias           # per output channel of all groups, or NULL
    # The output
    void* y
    Py_ssize_t y_image
    Py_ssize_t y_channel
    Py_ssize_t y_size[3]

# How the input is cut into blocks of lines, the units of work; see Note [No im2col]
cdef struct Blocks:
    Py_ssize_t lines           # output lines of a full block
    Py_ssize_t count           # per output plane
    Py_ssize_t tasks           # images * groups * output planes * count
    Py_ssize_t block_lines     # lines in memory: one for each needed input line
    Py_ssize_t inner           # channels * taps
    int* offsets               # [inner]: where the row of a term begins in the block
    Py_ssize_t* line           # [block_lines]: its input line, from the block's first
    Py_ssize_t size            # elements of a block, with the slack that tiles may read
    Py_ssize_t left            # input column, from the first output's, where padded lines begin
    Py_ssize_t width           # of a padded line; block_lines of them follow the block; 0: there are none

# One task
cdef struct Block:
    Py_ssize_t image
    Py_ssize_t group
    Py_ssize_t plane           # of the output
    Py_ssize_t first           # output line
    Py_ssize_t lines

ctypedef fused Real:
    float
    double

# Chooses the height of the blocks for so many threads. On CONV_OK, and on failure too, `out` is to
# be given to `free_blocks`.
cdef int lay_out(const Correlation* c, Py_ssize_t itemsize, int parts, Blocks* out) noexcept nogil
cdef void free_blocks(Blocks* b) noexcept nogil

# Which block a task works on
cdef Block block_of(const Correlation* c, const Blocks* b, Py_ssize_t task) noexcept nogil

# Memory for one block, and its content; `tag` only chooses the type
cdef Real* new_block(Real* tag, const Blocks* b) noexcept nogil
cdef void fill_block(const Correlation* c, const Blocks* b, const Block* at,
                     Real* out) noexcept nogil
