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

# Runs it, over threads; dtype Float32 or Float64. Returns a ConvStatus.
cdef int correlate(int dtype, const Correlation* c) noexcept nogil
