"""What the tests see of `upsample.pxd`, on NumPy arrays."""

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.nn.upsample cimport UpsampleMode, UpsampleShape, upsample, upsample_backward

cnp.import_array()

MODES = {"nearest": 0, "nearest-exact": 1, "linear": 2, "cubic": 3}


def run(bint backward, str mode, cnp.ndarray source, cnp.ndarray target, in_size, out_size,
        scale_factor=(0, 0, 0), bint align_corners=False):
    """From source to target, (planes, D, H, W) each; returns the UpsampleStatus."""
    cdef UpsampleShape s
    cdef int d, dtype = from_numpy_type(cnp.PyArray_TYPE(source))
    s.mode = <UpsampleMode><int>MODES[mode]
    s.planes = source.shape[0]
    s.align_corners = align_corners
    for d in range(3):
        s.in_size[d] = in_size[d]
        s.out_size[d] = out_size[d]
        s.scale_factor[d] = scale_factor[d]
    if backward:
        return upsample_backward(dtype, &s, <char*>cnp.PyArray_DATA(source),
                                 <char*>cnp.PyArray_DATA(target))
    return upsample(dtype, &s, <char*>cnp.PyArray_DATA(source), <char*>cnp.PyArray_DATA(target))
