"""What the tests see of `pooling.pxd` and `avg_pooling.pxd`, on NumPy arrays. Not part of the
package's interface."""

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.nn.avg_pooling cimport (
    adaptive_avg_pool, adaptive_avg_pool_backward, avg_pool, avg_pool_backward,
)
from minitorch.kernels.nn.pooling cimport (
    PoolShape, adaptive_max_pool, max_pool, max_pool_backward,
)

cnp.import_array()


def run(str name, cnp.ndarray source, cnp.ndarray target, cnp.ndarray indices or None, in_size, out_size,
        kernel=(1, 1, 1), stride=(1, 1, 1), padding=(0, 0, 0), dilation=(1, 1, 1),
        bint count_pad=True, long long override=0):
    """Runs the kernel `name` from source into target (and indices); returns its PoolStatus."""
    cdef PoolShape s
    cdef int d, dtype = from_numpy_type(cnp.PyArray_TYPE(source))
    cdef char* x = <char*>cnp.PyArray_DATA(source)
    cdef char* y = <char*>cnp.PyArray_DATA(target)
    cdef char* i = NULL if indices is None else <char*>cnp.PyArray_DATA(indices)
    s.planes = source.shape[0]
    for d in range(3):
        s.in_size[d] = in_size[d]
        s.out_size[d] = out_size[d]
        s.kernel[d] = kernel[d]
        s.stride[d] = stride[d]
        s.padding[d] = padding[d]
        s.dilation[d] = dilation[d]
    if name == "max":
        return max_pool(dtype, &s, x, y, i)
    if name == "adaptive_max":
        return adaptive_max_pool(dtype, &s, x, y, i)
    if name == "max_backward":
        return max_pool_backward(dtype, &s, x, i, y)
    if name == "avg":
        return avg_pool(dtype, &s, count_pad, override, x, y)
    if name == "avg_backward":
        return avg_pool_backward(dtype, &s, count_pad, override, x, y)
    if name == "adaptive_avg":
        return adaptive_avg_pool(dtype, &s, x, y)
    if name == "adaptive_avg_backward":
        return adaptive_avg_pool_backward(dtype, &s, x, y)
    raise ValueError(name)
