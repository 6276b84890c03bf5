"""What the tests see of indexing, scatter, masked and rearrange: the kernels on NumPy arrays.

Not part of the package's interface. Shapes are taken as they are given; the tests pass what fits.
"""

cimport numpy as cnp
from libc.string cimport memcpy

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.common.copy cimport MAX_DIMS
from minitorch.kernels.indexing.indexing cimport BadIndex, check_index, index_gather, index_offsets
from minitorch.kernels.indexing.masked cimport (
    count_nonzero, masked_fill, masked_scatter, masked_select, nonzero,
)
from minitorch.kernels.indexing.scatter cimport ScatterOp, embedding_backward, index_scatter
from minitorch.kernels.shape.rearrange cimport roll, triangle

cnp.import_array()

OPS = {"set": 0, "sum": 1, "prod": 2, "amin": 3, "amax": 4}


cdef struct Layout:
    int ndim
    char* data
    Py_ssize_t sizes[MAX_DIMS]
    Py_ssize_t strides[MAX_DIMS]
    Py_ssize_t itemsize
    int dtype


cdef Layout _layout(cnp.ndarray a) except *:
    cdef Layout out
    cdef int d
    out.ndim = a.ndim
    out.data = <char*>cnp.PyArray_DATA(a)
    out.itemsize = cnp.PyArray_ITEMSIZE(a)
    out.dtype = from_numpy_type(cnp.PyArray_TYPE(a))
    for d in range(a.ndim):
        out.sizes[d] = a.shape[d]
        out.strides[d] = cnp.PyArray_STRIDE(a, d)
    return out


def check(cnp.ndarray index, Py_ssize_t size, bint wrap):
    """None, or (index, size) of the first that is out of bounds."""
    cdef Layout i = _layout(index)
    cdef BadIndex bad
    if check_index(i.ndim, i.sizes, i.data, i.strides, size, wrap, &bad):
        return None
    return bad.value, bad.size


def offsets(cnp.ndarray out, list indices, sizes, strides):
    """None with `out` filled, or (number, index, size) of the first that is out of bounds."""
    cdef Layout o = _layout(out), i
    cdef const char* data[MAX_DIMS]
    cdef Py_ssize_t index_strides[MAX_DIMS * 4]
    cdef Py_ssize_t dim_sizes[MAX_DIMS]
    cdef Py_ssize_t dim_strides[MAX_DIMS]
    cdef int k
    cdef BadIndex bad
    for k in range(len(indices)):
        i = _layout(indices[k])
        data[k] = i.data
        memcpy(index_strides + k * o.ndim, i.strides, o.ndim * sizeof(Py_ssize_t))
        dim_sizes[k] = sizes[k]
        dim_strides[k] = strides[k]
    if index_offsets(o.ndim, o.sizes, len(indices), data, index_strides, dim_sizes, dim_strides,
                     <Py_ssize_t*>o.data, &bad):
        return None
    return bad.which, bad.value, bad.size


def gather(cnp.ndarray out, cnp.ndarray src, cnp.ndarray index, int dim, Py_ssize_t size,
           Py_ssize_t dim_stride):
    """index_gather; the stride of `dim` in src counts as 0 (-1: none, -2: all)."""
    cdef Layout o = _layout(out), s = _layout(src), i = _layout(index)
    cdef int d
    for d in range(o.ndim):
        if d == dim or dim == -2:
            s.strides[d] = 0
    index_gather(o.ndim, o.sizes, o.data, o.strides, s.data, s.strides, i.data, i.strides, size,
                 dim_stride, o.itemsize)


def scatter(cnp.ndarray dst, cnp.ndarray src, cnp.ndarray index, int dim, Py_ssize_t size,
            Py_ssize_t dim_stride, str op):
    """index_scatter over the shape of src; the stride of `dim` in dst counts as 0."""
    cdef Layout o = _layout(dst), s = _layout(src), i = _layout(index)
    cdef int d
    for d in range(s.ndim):
        if d == dim or dim == -2:
            o.strides[d] = 0
    index_scatter(o.dtype, <ScatterOp><int>OPS[op], s.ndim, s.sizes, o.data, o.strides, s.data,
                  s.strides, i.data, i.strides, size, dim_stride)


def embedding_grad(cnp.ndarray grad, cnp.ndarray index, cnp.ndarray weight, long long padding_idx,
                   bint scale):
    """embedding_backward for a two-dimensional grad and a one-dimensional index."""
    cdef Layout g = _layout(grad), i = _layout(index), w = _layout(weight)
    return embedding_backward(g.dtype, g.sizes[0], g.sizes[1], w.sizes[0], g.data, g.strides[0],
                              i.data, i.strides[0], padding_idx, scale, w.data)


def mask_fill(cnp.ndarray target, cnp.ndarray mask, cnp.ndarray value):
    """masked_fill with a mask of the target's shape."""
    cdef Layout t = _layout(target), m = _layout(mask)
    masked_fill(t.ndim, t.sizes, t.data, t.strides, m.data, m.strides, _layout(value).data,
                t.itemsize)


def mask_select(cnp.ndarray source, cnp.ndarray mask, cnp.ndarray out):
    """masked_select; returns the number of elements the mask selects."""
    cdef Layout s = _layout(source), m = _layout(mask), o = _layout(out)
    cdef Py_ssize_t total = count_nonzero(m.dtype, m.ndim, m.sizes, m.data, m.strides)
    masked_select(s.ndim, s.sizes, s.data, s.strides, m.data, m.strides, o.data, total, s.itemsize)
    return total


def mask_scatter(cnp.ndarray target, cnp.ndarray mask, cnp.ndarray source):
    """masked_scatter."""
    cdef Layout t = _layout(target), m = _layout(mask)
    masked_scatter(t.ndim, t.sizes, t.data, t.strides, m.data, m.strides, _layout(source).data,
                   t.itemsize)


def find_nonzero(cnp.ndarray source):
    """The positions of the elements that are not zero, as an array of int64 rows."""
    import numpy
    cdef Layout s = _layout(source), o
    cdef Py_ssize_t total = count_nonzero(s.dtype, s.ndim, s.sizes, s.data, s.strides)
    out = numpy.empty((s.ndim, total), numpy.int64).T
    o = _layout(out)
    nonzero(s.dtype, s.ndim, s.sizes, s.data, s.strides, o.data, o.strides[0], o.strides[1], total)
    return out


def rolled(cnp.ndarray dst, cnp.ndarray src, shifts):
    """roll, with a shift for each dimension."""
    cdef Layout t = _layout(dst), s = _layout(src)
    cdef Py_ssize_t by[MAX_DIMS]
    for d in range(s.ndim):
        by[d] = shifts[d]
    roll(s.ndim, s.sizes, t.data, t.strides, s.data, s.strides, by, s.itemsize)


def tri(cnp.ndarray dst, cnp.ndarray src, Py_ssize_t diagonal, bint upper):
    """triangle."""
    cdef Layout t = _layout(dst), s = _layout(src)
    triangle(s.ndim, s.sizes, t.data, t.strides, s.data, s.strides, diagonal, upper, s.itemsize)
