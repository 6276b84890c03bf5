"""Checks and changes of an ``out=`` tensor before a result is written to it."""

import warnings

from libc.string cimport memcmp

from minitorch.core.dtype cimport class_name, itemsizes
from minitorch.core.overlap cimport assert_no_internal_overlap
from minitorch.core.result_type cimport can_cast
from minitorch.core.storage cimport resize_storage
from minitorch.core.tensor_impl cimport (
    SizesAndStrides, TensorImpl, ndim, new_geometry, release_geometry, resize, sizes, sizes_tuple)

from minitorch.core.error_pages import explained
from minitorch.core.once import line_outside


cdef bint resize_output(TensorImpl out, int n, const Py_ssize_t* shape,
                        const Py_ssize_t* strides=NULL) except -1:
    if ndim(out) == n and (n == 0 or memcmp(sizes(out), shape, n * sizeof(Py_ssize_t)) == 0):
        return False
    if out.geometry.numel:
        wanted = [shape[d] for d in range(n)]
        warnings.warn(
            f"An output with one or more elements was resized since it had shape "
            f"{list(sizes_tuple(out))}, which does not match the required output shape {wanted}. "
            "This behavior is deprecated, and in a future PyTorch release outputs will not be "
            "resized unless they have zero elements. You can explicitly reuse an out tensor t by "
            "resizing it, inplace, to zero elements with t.resize_(0).", UserWarning, line_outside())
    resize(out, n, shape)
    if strides != NULL:
        _lay_out(out, n, shape, strides)
    return True


cdef int _lay_out(TensorImpl out, int n, const Py_ssize_t* shape, const Py_ssize_t* strides) except -1:
    """Give `out` these strides; grow its storage if they reach beyond the elements."""
    cdef Py_ssize_t last = out.storage_offset
    cdef SizesAndStrides* g
    cdef int d
    if out.geometry.numel:
        for d in range(n):
            last += (shape[d] - 1) * strides[d]
        if (last + 1) * itemsizes[out.dtype] > out.storage.nbytes:
            resize_storage(out.storage, (last + 1) * itemsizes[out.dtype])
    g = new_geometry(n, shape, strides)
    release_geometry(out.geometry)
    out.geometry = g
    return 0


cdef int check_can_cast(int from_dtype, int to_dtype) except -1:
    if not can_cast(from_dtype, to_dtype):
        raise explained(RuntimeError(
            f"result type {class_name(from_dtype)} can't be cast to the desired "
            f"output type {class_name(to_dtype)}"), "result-type")
    return 0


cdef int prepare_output(TensorImpl out, int dtype, int n, const Py_ssize_t* shape) except -1:
    check_can_cast(dtype, out.dtype)
    resize_output(out, n, shape)
    assert_no_internal_overlap(out)
    return 0
