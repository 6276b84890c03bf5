# The gradient of a convolution with respect to its weight:
#
#     gw[r, c, t] += sum over images and outputs o of
#         gy[r, o] * x[c, o * stride + t * dilation - padding]

from minitorch.kernels.nn.conv_shape cimport ConvShape

# Adds to grad_weight; no array in `s` is empty, dtype is Float32 or Float64. Returns a ConvStatus.
cdef int weight_gradient(int dtype, const ConvShape* s, const char* grad_output,
                         const char* input_, char* grad_weight) noexcept nogil
