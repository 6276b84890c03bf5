"""What the tests see of `convolution.pxd`, on NumPy arrays."""

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.linalg.tiles cimport choose_tiles, tiles32
from minitorch.kernels.nn.conv_shape cimport ConvShape
from minitorch.kernels.nn.convolution cimport (
    conv_backward_bias, conv_backward_input, conv_backward_weight, conv_forward,
)

cnp.import_array()


def use_tiles(int level):
    """Use the tiles of a level (-1: the best); returns how many floats their vectors hold."""
    choose_tiles(level)
    return tiles32.lanes


cdef ConvShape _shape(in_shape, out_shape, kernel, stride, padding, dilation, groups) except *:
    cdef ConvShape s
    cdef int d
    s.batch, s.in_channels = in_shape[:2]
    s.out_channels = out_shape[1]
    s.groups = groups
    for d in range(3):
        s.in_size[d] = in_shape[2 + d]
        s.out_size[d] = out_shape[2 + d]
        s.kernel[d] = kernel[d]
        s.stride[d] = stride[d]
        s.padding[d] = padding[d]
        s.dilation[d] = dilation[d]
    return s


cdef char* _data(cnp.ndarray a) except? NULL:
    if a is None:
        return NULL
    if not cnp.PyArray_IS_C_CONTIGUOUS(a):
        raise ValueError("contiguous arrays only")
    return <char*>cnp.PyArray_DATA(a)


def run(str name, cnp.ndarray x, cnp.ndarray w, cnp.ndarray bias or None, cnp.ndarray y, stride, padding,
        dilation, groups):
    """x (N, C, D, H, W), w (O, C / groups, d, h, w) and y (N, O, D, H, W); writes the one of them,
    or bias, that `name` computes and returns the ConvStatus."""
    cdef ConvShape s = _shape((<object>x).shape, (<object>y).shape, (<object>w).shape[2:], stride,
                              padding, dilation, groups)
    cdef int dtype = from_numpy_type(cnp.PyArray_TYPE(y)), status
    cdef char* px = _data(x)
    cdef char* pw = _data(w)
    cdef char* pb = _data(bias)
    cdef char* py = _data(y)
    if name == "forward":
        status = conv_forward(dtype, &s, px, pw, pb, py)
    elif name == "input":
        status = conv_backward_input(dtype, &s, py, pw, pb, px)
    elif name == "weight":
        status = conv_backward_weight(dtype, &s, py, px, pw)
    else:
        status = conv_backward_bias(dtype, &s, py, pb)
    return status
