"""Sizes and dimensions for the composed rows of derivatives/, with PyTorch's errors."""

from minitorch.core.tensor_impl cimport MAX_DIMS, wrap_dim
from minitorch.ops.shape.transposes cimport movedim_order
from minitorch.ops.shape.views cimport infer_size


cdef bint is_flat(Py_ssize_t ndim, Py_ssize_t start_dim, Py_ssize_t end_dim) except -1:
    """Return whether flatten() has nothing to do."""
    cdef int start = wrap_dim(start_dim, ndim), end = wrap_dim(end_dim, ndim)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return ndim > 0 and start == end


cdef tuple flattened_sizes(tuple sizes, Py_ssize_t start_dim, Py_ssize_t end_dim):
    cdef int n = len(sizes), start = wrap_dim(start_dim, n), end = wrap_dim(end_dim, n)
    cdef Py_ssize_t product = 1
    for size in sizes[start:end + 1]:
        product *= <Py_ssize_t>size
    return (*sizes[:start], product, *sizes[end + 1:])


cdef tuple unflattened_sizes(tuple sizes, Py_ssize_t dim, tuple parts):
    cdef Py_ssize_t[MAX_DIMS] part
    cdef int d, n, k
    if not parts:
        raise RuntimeError("unflatten: sizes must be non-empty")
    d = wrap_dim(dim, len(sizes))
    if not sizes:
        raise RuntimeError("unflatten got an unexpected error:\n"
                           f"Dimension specified as {d} but tensor has no dimensions")
    try:
        n = infer_size(parts, sizes[d], part)
    except RuntimeError as error:
        if "is invalid for input of size" in str(error):
            raise RuntimeError(
                f"unflatten: Provided sizes {list(parts)} don't multiply up to the size of dim {d} "
                f"({sizes[d]}) in the input tensor") from None
        raise RuntimeError(f"unflatten got an unexpected error:\n{error}") from None
    return (*sizes[:d], *[part[k] for k in range(n)], *sizes[d + 1:])


cdef Py_ssize_t narrow_start(tuple sizes, Py_ssize_t dim, Py_ssize_t start,
                             Py_ssize_t length) except -1:
    cdef Py_ssize_t have
    if not sizes:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    have = sizes[wrap_dim(dim, len(sizes))]
    if start < -have or start > have:
        raise IndexError(
            f"start out of range (expected to be in range of [{-have}, {have}], but got {start})")
    if start < 0:
        start += have
    if length > have - start:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({have}).")
    return start


cdef Py_ssize_t chunk_size(tuple sizes, Py_ssize_t chunks, Py_ssize_t dim) except -1:
    if not sizes:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    _check_chunks(chunks)
    return (<Py_ssize_t>sizes[wrap_dim(dim, len(sizes))] - 1) // chunks + 1


cdef int _check_chunks(Py_ssize_t chunks) except -1:
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return 0


cdef tuple chunk_zeros(Py_ssize_t chunks):
    _check_chunks(chunks)
    return (0,) * chunks


cdef tuple moved_dims(Py_ssize_t ndim, tuple source, tuple destination):
    return movedim_order(ndim, source, destination)


cdef Py_ssize_t size_in(tuple sizes, int d) except -1:
    if not sizes:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    return sizes[wrap_dim(d, len(sizes))]
