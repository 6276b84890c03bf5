"""What the tests see of `copy.pxd`, on NumPy arrays."""

cimport numpy as cnp

from minitorch.kernels.common.copy cimport MAX_DIMS, copy_strided, fill_strided

cnp.import_array()


cdef Py_ssize_t _layout(cnp.ndarray array, Py_ssize_t* sizes, Py_ssize_t* strides) except -1:
    cdef int d
    if array.ndim > MAX_DIMS:
        raise ValueError("too many dimensions")
    for d in range(array.ndim):
        sizes[d] = array.shape[d]
        strides[d] = cnp.PyArray_STRIDE(array, d)
    return cnp.PyArray_ITEMSIZE(array)


def copy(cnp.ndarray dst, cnp.ndarray src):
    """``dst[...] = src`` for arrays of one shape and one itemsize."""
    cdef Py_ssize_t sizes[MAX_DIMS]
    cdef Py_ssize_t a[MAX_DIMS]
    cdef Py_ssize_t b[MAX_DIMS]
    cdef Py_ssize_t item = _layout(src, sizes, b)
    if (<object>dst).shape != (<object>src).shape or _layout(dst, sizes, a) != item:
        raise ValueError("shapes or element sizes differ")
    with nogil:
        copy_strided(dst.ndim, sizes, <char*>cnp.PyArray_DATA(dst), a,
                     <char*>cnp.PyArray_DATA(src), b, item)


def fill(cnp.ndarray dst, cnp.ndarray value):
    """``dst[...] = value`` for a `value` of one element of the same itemsize."""
    cdef Py_ssize_t sizes[MAX_DIMS]
    cdef Py_ssize_t a[MAX_DIMS]
    cdef Py_ssize_t item = _layout(dst, sizes, a)
    if value.size != 1 or cnp.PyArray_ITEMSIZE(value) != item:
        raise ValueError("one element of the same size is needed")
    with nogil:
        fill_strided(dst.ndim, sizes, <char*>cnp.PyArray_DATA(dst), a,
                     <char*>cnp.PyArray_DATA(value), item)
