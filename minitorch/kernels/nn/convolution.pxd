# Convolution over one to three spatial dimensions, on contiguous memory:
#     input (batch, in_channels, *in_size), weight (out_channels, in_channels / groups, *kernel),
#     output (batch, out_channels, *out_size).
# There are always three dimensions here: a 2-d convolution has size, kernel and stride 1 in the first one, a 1-d
# convolution in the first two.
#
# A transposed convolution is `conv_backward_input` with input and output exchanged: its input is `grad_output`,
# and its output is `grad_input` and may have a bias. Its weight (with in_channels first, as in PyTorch) needs no
# change. in_size is then the size of its output, including output_padding. Its backward functions are
# `conv_forward` (for the input) and `conv_backward_weight` with grad_output and input exchanged.
#
# float32 and float64. ops/ converts float16 to float32 and splits complex numbers into their parts.

from minitorch.kernels.nn.conv_shape cimport ConvShape

# output = convolution of input and weight, plus bias[out_channel] unless bias is NULL
cdef int conv_forward(int dtype, const ConvShape* s, const char* input_, const char* weight,
                      const char* bias, char* output) noexcept nogil

# grad_input from grad_output; plus bias[in_channel] unless that is NULL (for the transposed convolution)
cdef int conv_backward_input(int dtype, const ConvShape* s, const char* grad_output,
                             const char* weight, const char* bias, char* grad_input) noexcept nogil

# grad_weight from grad_output and input
cdef int conv_backward_weight(int dtype, const ConvShape* s, const char* grad_output,
                              const char* input_, char* grad_weight) noexcept nogil

# grad_bias[out_channel]: grad_output summed over batch and positions
cdef int conv_backward_bias(int dtype, const ConvShape* s, const char* grad_output,
                            char* grad_bias) noexcept nogil
