"""Convolution: the forward and the gradients, as correlations (correlation.pyx) and sums.

The gradient with respect to the input at position i sums grad_output[o] * w[t] over all o and t with i + padding
= o * stride + t * dilation. The positions i with one residue (i + padding) mod stride form a phase. They use the
same taps, those with t * dilation of that residue. Within a phase, o increases by one when i increases by the
stride, so each phase is a correlation with step 1. The number of phases is the product of the strides; together
they do no more multiplications than the forward.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cython.parallel cimport prange

from minitorch.core.dtype cimport Float32, Float64, itemsizes
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.nn.conv_block cimport Axis, Correlation
from minitorch.kernels.nn.conv_shape cimport CONV_NO_DTYPE, CONV_NO_MEMORY, CONV_OK
from minitorch.kernels.nn.conv_weight cimport weight_gradient
from minitorch.kernels.nn.correlation cimport correlate, correlate_weight

cdef enum:
    FEW_TERMS = 16             # for small blocks, or few rows that read them, the gradient
    FEW_ROWS = 8               # of the weight is computed by plain dot products


cdef inline Py_ssize_t _volume(const Py_ssize_t* size) noexcept nogil:
    return size[0] * size[1] * size[2]


cdef int _axes(Axis* axis, const ConvShape* s) noexcept nogil:
    """Allocate the taps of the three axes; free them as axis[0].shift."""
    cdef Py_ssize_t taps = s.kernel[0] + s.kernel[1] + s.kernel[2]
    cdef char* memory = <char*>malloc(taps * (sizeof(Py_ssize_t) + sizeof(int)) + 1)
    cdef Py_ssize_t* shift = <Py_ssize_t*>memory
    cdef int* tap = <int*>(memory + taps * sizeof(Py_ssize_t))
    cdef int d
    axis[0].shift = shift
    if memory == NULL:
        return CONV_NO_MEMORY
    for d in range(3):
        axis[d].shift = shift
        axis[d].tap = tap
        shift += s.kernel[d]
        tap += s.kernel[d]
    return CONV_OK


cdef void _sides(Correlation* c, Py_ssize_t x_channels, const Py_ssize_t* x_size,
                 Py_ssize_t y_channels, const Py_ssize_t* y_size) noexcept nogil:
    """Set the strides of contiguous input and output."""
    c.x_channel = _volume(x_size)
    c.x_image = x_channels * c.x_channel
    c.x_size[0] = x_size[1] * x_size[2]
    c.x_size[1] = x_size[2]
    c.x_size[2] = 1
    c.y_channel = _volume(y_size)
    c.y_image = y_channels * c.y_channel
    c.y_size[0] = y_size[1] * y_size[2]
    c.y_size[1] = y_size[2]
    c.y_size[2] = 1


cdef int _forward(const ConvShape* s, Correlation* c) noexcept nogil:
    """Describe the convolution as a correlation; free c.axis[0].shift afterwards."""
    cdef int d, t, status = _axes(c.axis, s)
    if status != CONV_OK:
        return status
    c.batch = s.batch
    c.groups = s.groups
    c.channels = s.in_channels // s.groups
    c.rows = s.out_channels // s.groups
    for d in range(3):
        c.kernel[d] = s.kernel[d]
        c.axis[d].n_in = s.in_size[d]
        c.axis[d].n_out = s.out_size[d]
        c.axis[d].step = s.stride[d]
        c.axis[d].taps = <int>s.kernel[d]
        for t in range(<int>s.kernel[d]):
            c.axis[d].tap[t] = t
            c.axis[d].shift[t] = t * s.dilation[d] - s.padding[d]
    _sides(c, s.in_channels, s.in_size, s.out_channels, s.out_size)
    c.w_channel = _volume(s.kernel)
    c.w_row = c.channels * c.w_channel
    c.w_group = c.rows * c.w_row
    return CONV_OK


cdef int conv_forward(int dtype, const ConvShape* s, const char* input_, const char* weight,
                      const char* bias, char* output) noexcept nogil:
    cdef Correlation c
    cdef int status = _forward(s, &c)
    if status == CONV_OK:
        c.x = input_
        c.y = output
        c.bias = bias
        c.w = weight
        status = correlate(dtype, &c)
    free(c.axis[0].shift)
    return status


cdef void _phase(const ConvShape* s, int d, Py_ssize_t first, Axis* axis) noexcept nogil:
    """Set the axis for the positions first, first + stride, ... of the input's dimension d."""
    cdef Py_ssize_t reach
    cdef int t
    axis.n_in = s.out_size[d]
    axis.n_out = (s.in_size[d] - first - 1) // s.stride[d] + 1
    axis.step = 1
    axis.taps = 0
    for t in range(<int>s.kernel[d]):
        reach = first + s.padding[d] - t * s.dilation[d]
        if reach % s.stride[d] == 0:
            axis.tap[axis.taps] = t
            axis.shift[axis.taps] = reach // s.stride[d]
            axis.taps += 1


cdef int conv_backward_input(int dtype, const ConvShape* s, const char* grad_output,
                             const char* weight, const char* bias, char* grad_input) noexcept nogil:
    cdef Correlation c
    cdef Py_ssize_t first[3]
    cdef Py_ssize_t unit
    cdef int d, status = _axes(c.axis, s)
    if status != CONV_OK:
        return status
    unit = itemsizes[dtype]
    c.batch = s.batch
    c.groups = s.groups
    c.channels = s.out_channels // s.groups
    c.rows = s.in_channels // s.groups
    c.w = weight
    c.w_row = _volume(s.kernel)
    c.w_channel = c.rows * c.w_row
    c.w_group = c.channels * c.w_channel
    c.x = grad_output
    c.bias = bias
    _sides(&c, s.out_channels, s.out_size, s.in_channels, s.in_size)
    for d in range(3):
        c.kernel[d] = s.kernel[d]
        c.y_size[d] *= s.stride[d]
        first[d] = 0
    while True:
        c.y = grad_input + unit * (
            (first[0] * s.in_size[1] + first[1]) * s.in_size[2] + first[2])
        for d in range(3):
            _phase(s, d, first[d], &c.axis[d])
        status = correlate(dtype, &c)
        d = 2
        while d >= 0 and status == CONV_OK:
            first[d] += 1
            if first[d] < s.stride[d] and first[d] < s.in_size[d]:
                break
            first[d] = 0
            d -= 1
        if d < 0 or status != CONV_OK:
            break
    free(c.axis[0].shift)
    return status


cdef int conv_backward_weight(int dtype, const ConvShape* s, const char* grad_output,
                              const char* input_, char* grad_weight) noexcept nogil:
    cdef Correlation c
    cdef Py_ssize_t size, terms
    cdef int status
    if dtype != Float32 and dtype != Float64:
        return CONV_NO_DTYPE
    size = s.out_channels * (s.in_channels // s.groups) * _volume(s.kernel)
    memset(grad_weight, 0, size * itemsizes[dtype])
    if size == 0 or s.batch == 0 or _volume(s.out_size) == 0:
        return CONV_OK
    terms = s.in_channels // s.groups * _volume(s.kernel)
    if terms > FEW_TERMS and s.out_channels // s.groups > FEW_ROWS:
        return weight_gradient(dtype, s, grad_output, input_, grad_weight)
    status = _forward(s, &c)
    if status == CONV_OK:
        c.x = input_
        c.y = <char*>grad_output
        status = correlate_weight(dtype, &c, grad_weight)
    free(c.axis[0].shift)
    return status


cdef void _channel_sum(Real* tag, const ConvShape* s, const Real* grad, Py_ssize_t channel,
                       Real* out) noexcept nogil:
    cdef Py_ssize_t n, i, size = _volume(s.out_size), whole = size & ~7
    cdef Real part[8]
    cdef double total = 0
    cdef int j
    for n in range(s.batch):
        # eight sums, which fit in a vector; images are summed in float64
        for j in range(8):
            part[j] = 0
        i = 0
        while i < whole:
            for j in range(8):
                part[j] += grad[(n * s.out_channels + channel) * size + i + j]
            i += 8
        while i < size:
            part[0] += grad[(n * s.out_channels + channel) * size + i]
            i += 1
        total += ((part[0] + part[1]) + (part[2] + part[3])
                  + ((part[4] + part[5]) + (part[6] + part[7])))
    out[channel] = <Real>total


cdef void _bias(int dtype, const ConvShape* s, const char* grad, Py_ssize_t channel,
                char* out) noexcept nogil:
    if dtype == Float32:
        _channel_sum(<float*>NULL, s, <const float*>grad, channel, <float*>out)
    else:
        _channel_sum(<double*>NULL, s, <const double*>grad, channel, <double*>out)


cdef int conv_backward_bias(int dtype, const ConvShape* s, const char* grad_output,
                            char* grad_bias) noexcept nogil:
    cdef Py_ssize_t channel
    cdef int parts
    if dtype != Float32 and dtype != Float64:
        return CONV_NO_DTYPE
    parts = threads_for(s.batch * s.out_channels * _volume(s.out_size) // 8)
    if parts <= 1:
        for channel in range(s.out_channels):
            _bias(dtype, s, grad_output, channel, grad_bias)
    else:
        for channel in prange(s.out_channels, num_threads=parts, schedule="static"):
            _bias(dtype, s, grad_output, channel, grad_bias)
    return CONV_OK
