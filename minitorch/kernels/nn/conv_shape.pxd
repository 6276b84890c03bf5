# The sizes and parameters of a convolution (convolution.pxd), and the statuses of its functions.

cdef enum ConvStatus:
    CONV_OK = 0
    CONV_NO_MEMORY = -1
    CONV_NO_DTYPE = -2
    CONV_TOO_LARGE = -3        # a single line of an image has 2**31 elements or more

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
