# Convolution over one to three spatial dimensions, on contiguous memory:
#     input (batch, in_channels, *in_size), weight (out_channels, in_channels / groups, *kernel),
#     output (batch, out_channels, *out_size).
# Always three dimensions here: a 2-d convolution has size, kernel and stride 1 in the first one, a
# 1-d convolution in the first two.
#
# A transposed convolution is `conv_backward_input` with the roles turned: its input is
# `grad_output`, its weight (its in_channels first, as PyTorch has it) fits as it is, its output is
# `grad_input` and may have a bias; in_size is then the size of its output, with whatever
# output_padding adds. Its backward functions are `conv_forward` (for the input) and
# `conv_backward_weight` with grad_output and input exchanged.
#
# float32 and float64. float16 goes through float32 and complex numbers through their parts, in
# ops/.

cdef enum ConvStatus:
    CONV_OK = 0
    CONV_NO_MEMORY = -1
    CONV_NO_DTYPE = -2
    CONV_TOO_LARGE = -3        # one line of one image is beyond 2**31 elements

cdef struct ConvShape:
    Py_ssize_t batch
    Py_ssize_t groups
    Py_ssize_t in_channels     # of all groups
    Py_ssize_t out_channels
    Py_ssize_t in_size[3]
    Py_ssize_t out_size[3]     # (in + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
    Py_ssize_t kernel[3]
    Py_ssize_t stride[3]
    Py_ssize_t padding[3]
    Py_ssize_t dilation[3]

# output = convolution of input and weight, plus bias[out_channel] unless bias is NULL
cdef int conv_forward(int dtype, const ConvShape* s, const char* input_, const char* weight,
                      const char* bias, char* output) noexcept nogil

# grad_input from grad_output; plus bias[in_channel] unless NULL (for the transposed convolution)
cdef int conv_backward_input(int dtype, const ConvShape* s, const char* grad_output,
                             const char* weight, const char* bias, char* grad_input) noexcept nogil

# grad_weight from grad_output and input
cdef int conv_backward_weight(int dtype, const ConvShape* s, const char* grad_output,
                              const char* input_, char* grad_weight) noexcept nogil

# grad_bias[out_channel]: grad_output summed over batch and positions
cdef int conv_backward_bias(int dtype, const ConvShape* s, const char* grad_output,
                            char* grad_bias) noexcept nogil
