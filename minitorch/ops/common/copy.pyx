"""Copies with and without a change of dtype, and filling.

Invariant: `copy_` between tensors that share memory behaves as if the whole source had been read before anything
is written, except where PyTorch leaves the result open (layouts with internal overlap).
"""


from libc.string cimport memcpy

from minitorch.core.dtype cimport Bool, is_complex, itemsizes
from minitorch.core.iterator cimport TensorIterator, bind, bind_flat, infer_shape
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_partial_overlap
from minitorch.core.tensor_impl cimport (
    CHANNELS_LAST, CHANNELS_LAST_3D, CONTIGUOUS, DENSE, MAX_DIMS, SizesAndStrides, TensorImpl,
    bump_version, channels_last_strides, data, empty, empty_geometry, empty_like, ndim, new_geometry, numel,
    release_geometry, same_sizes, sizes, sizes_tuple, strides)
from minitorch.core.walk cimport for_each
from minitorch.kernels.common.copy cimport copy_strided, fill_strided
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.cast cimport cast_kernel
from minitorch.kernels.common.table cimport Kernel
from minitorch.ops.common.scalar cimport write_scalar

from minitorch.core.once import warn_once

cdef enum:
    RELEASE_GIL_BYTES = 200000          # from this many bytes a copy runs without the GIL


cdef int warn_discards_imaginary() except -1:
    warn_once("Casting complex values to real discards the imaginary part")
    return 0


cdef int _copy_same_dtype(TensorImpl self, TensorImpl src) except -1:
    """Copy between equal dtypes; the caller has checked that the sizes of src broadcast to those of self."""
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int d, dims = ndim(self), offset = dims - ndim(src)
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef Py_ssize_t nbytes = numel(self) * item
    cdef char* a = data(self)
    cdef char* b = data(src)
    cdef Py_ssize_t* n = sizes(self)
    if self.geometry == src.geometry and self.geometry.flags & DENSE and nbytes < RELEASE_GIL_BYTES:
        memcpy(a, b, nbytes)
        return 0
    for d in range(dims):
        to[d] = strides(self)[d] * item
        if d < offset or sizes(src)[d - offset] == 1:
            of[d] = 0
        else:
            of[d] = strides(src)[d - offset] * item
    if nbytes >= RELEASE_GIL_BYTES:
        with nogil:
            copy_strided(dims, n, a, to, b, of, item)
    else:
        copy_strided(dims, n, a, to, b, of, item)
    return 0


cdef int _copy_converted(TensorImpl self, TensorImpl src) except -1:
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef char* pointers[2]
    cdef Py_ssize_t[2] itemsize
    cdef Kernel* kernel = cast_kernel(src.dtype, self.dtype)
    cdef int nthreads
    pointers[0] = data(src)
    pointers[1] = data(self)
    itemsize[0] = itemsizes[src.dtype]
    itemsize[1] = itemsizes[self.dtype]
    if (same_sizes(self.geometry, src.geometry)
            and self.geometry.flags & src.geometry.flags & CONTIGUOUS):
        bind_flat(&it, 2, numel(self), pointers, itemsize)
    else:
        inputs[0] = self.geometry
        inputs[1] = src.geometry
        infer_shape(&it, 2, inputs)
        it.ninputs = 1
        it.geometry[0] = src.geometry
        bind(&it, self.geometry, pointers, itemsize)
    if numel(self) * itemsize[1] >= RELEASE_GIL_BYTES:
        nthreads = threads_for(numel(self) * kernel.cost // 10)
        with nogil:
            for_each(&it, kernel.loop, kernel.data, nthreads)
    else:
        for_each(&it, kernel.loop, kernel.data, 1)
    return 0


cdef int _check_expandable(TensorImpl self, TensorImpl src) except -1:
    """Raise a RuntimeError unless src broadcasts to the sizes of self."""
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef int d
    if same_sizes(self.geometry, src.geometry):
        return 0
    inputs[0] = self.geometry
    inputs[1] = src.geometry
    infer_shape(&it, 2, inputs)
    if it.shape_ndim == ndim(self):
        for d in range(it.shape_ndim):
            if it.shape[d] != sizes(self)[d]:
                break
        else:
            return 0
    raise RuntimeError(f"output with shape {list(sizes_tuple(self))} doesn't match the broadcast "
                       f"shape {[it.shape[d] for d in range(it.shape_ndim)]}")


cdef bint _may_overlap(TensorImpl self, TensorImpl src) noexcept:
    return self.storage == src.storage and not (
        data(self) == data(src) and self.dtype == src.dtype
        and self.geometry == src.geometry)


cdef TensorImpl copy_(TensorImpl self, TensorImpl src):
    if self is src:
        return self
    assert_no_internal_overlap(self)
    assert_no_partial_overlap(self, src)
    _check_expandable(self, src)
    if numel(self) == 0:
        return self
    if is_complex(src.dtype) and not is_complex(self.dtype) and self.dtype != Bool:
        warn_discards_imaginary()
    if _may_overlap(self, src):
        src = clone(src)
    if self.dtype == src.dtype:
        _copy_same_dtype(self, src)
    else:
        _copy_converted(self, src)
    return self


cdef TensorImpl cast(TensorImpl self, int dtype):
    cdef TensorImpl result
    if self.dtype == dtype:
        return self
    if numel(self) and is_complex(self.dtype) and not is_complex(dtype) and dtype != Bool:
        warn_discards_imaginary()
    result = empty_like(self, dtype)
    if numel(self):
        _copy_converted(result, self)
    if self.inference:
        bump_version(result)
    return result


cdef TensorImpl empty_in_format(TensorImpl self, int dtype, int memory_format):
    cdef Py_ssize_t[MAX_DIMS] s
    cdef SizesAndStrides* g
    cdef TensorImpl result
    if memory_format == PRESERVE_FORMAT:
        return empty_like(self, dtype)
    if memory_format == CONTIGUOUS_FORMAT:
        return empty(ndim(self), sizes(self), dtype)
    if memory_format == CHANNELS_LAST_FORMAT and ndim(self) != 4:
        raise RuntimeError("required rank 4 tensor to use channels_last format")
    if memory_format == CHANNELS_LAST_3D_FORMAT and ndim(self) != 5:
        raise RuntimeError("required rank 5 tensor to use channels_last_3d format")
    channels_last_strides(ndim(self), sizes(self), s)
    g = new_geometry(ndim(self), sizes(self), s)
    try:
        result = empty_geometry(g, dtype)
    finally:
        release_geometry(g)
    return result


cdef bint is_in_format(TensorImpl self, int memory_format):
    if memory_format == CHANNELS_LAST_FORMAT:
        return (self.geometry.flags & CHANNELS_LAST) != 0
    if memory_format == CHANNELS_LAST_3D_FORMAT:
        return (self.geometry.flags & CHANNELS_LAST_3D) != 0
    return (self.geometry.flags & CONTIGUOUS) != 0


cdef TensorImpl clone(TensorImpl self, int memory_format=PRESERVE_FORMAT):
    cdef TensorImpl result = empty_in_format(self, self.dtype, memory_format)
    if numel(self):
        _copy_same_dtype(result, self)
    if self.inference:                   # as in PyTorch, which counts the copy as a write
        bump_version(result)
    return result


cdef TensorImpl contiguous(TensorImpl self, int memory_format=CONTIGUOUS_FORMAT):
    if is_in_format(self, memory_format):
        return self
    if memory_format == PRESERVE_FORMAT:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return clone(self, memory_format)


cdef TensorImpl fill_(TensorImpl self, object value):
    cdef double[2] element
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t item = itemsizes[self.dtype]
    cdef Py_ssize_t nbytes = numel(self) * item
    cdef int d, dims = ndim(self)
    cdef char* a = data(self)
    cdef Py_ssize_t* n = sizes(self)
    write_scalar(value, self.dtype, element)
    for d in range(dims):
        to[d] = strides(self)[d] * item
    if nbytes >= RELEASE_GIL_BYTES:
        with nogil:
            fill_strided(dims, n, a, to, <char*>element, item)
    elif nbytes:
        fill_strided(dims, n, a, to, <char*>element, item)
    return self


cdef TensorImpl zero_(TensorImpl self):
    return fill_(self, 0)
