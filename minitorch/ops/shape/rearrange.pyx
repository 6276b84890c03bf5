"""repeat, roll, flip, tril: strided copies, with kernels of `rearrange` where strides are insufficient."""

from libc.string cimport memset

from minitorch.core.dtype cimport itemsizes
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, data, empty, empty_like, ndim, numel, read_sizes, sizes,
    strides, wrap_dim)
from minitorch.kernels.common.copy cimport copy_strided
from minitorch.kernels.shape.rearrange cimport roll as roll_kernel, triangle
from minitorch.ops.common.addresses cimport byte_strides
from minitorch.ops.common.bulk cimport RELEASE_GIL, add_into, zeros
from minitorch.ops.common.checks cimport CARRIED, FLOAT8, WIDE_UNSIGNED, reject_dtypes
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, contiguous, empty_in_format
from minitorch.ops.common.memory_format cimport suggest_memory_format
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport view


# ---- repeat

cdef int _repeat_geometry(int dims, const Py_ssize_t* size, const Py_ssize_t* stride, int n,
                          const Py_ssize_t* times, Py_ssize_t* wide, Py_ssize_t* outer,
                          Py_ssize_t* inner) except -1:
    """Compute the geometry of a repeating copy and return its number of dimensions.

    Each dimension of the result becomes two, repetition and element. `wide` gets their sizes, `outer` the strides
    of the result (row-major) and `inner` the strides of the repeated tensor.
    """
    cdef Py_ssize_t[2 * MAX_DIMS] a
    cdef Py_ssize_t[2 * MAX_DIMS] b
    cdef Py_ssize_t[2 * MAX_DIMS] c
    cdef Py_ssize_t step = 1, have
    cdef int count = 0, d, k
    for d in range(n - 1, -1, -1):
        k = d - (n - dims)
        have = size[k] if k >= 0 else 1
        for a[count], c[count] in ((have, stride[k] if k >= 0 else 0), (times[d], 0)):
            if a[count] != 1:
                b[count] = step
                step *= a[count]
                count += 1
    if count > MAX_DIMS:
        raise RuntimeError(f"tensors with more than {MAX_DIMS} dimensions are not supported, got "
                           f"{count}")
    for d in range(count):
        wide[d] = a[count - 1 - d]
        outer[d] = b[count - 1 - d]
        inner[d] = c[count - 1 - d]
    return count


cdef TensorImpl repeat(TensorImpl self, tuple repeats):
    cdef Py_ssize_t[MAX_DIMS] times
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] wide
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int n = read_sizes(repeats, times), lead = n - ndim(self), d
    cdef TensorImpl result
    if lead < 0:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of "
                           "dimensions of tensor")
    for d in range(n):
        size[d] = times[d]
        if d >= lead:
            size[d] *= sizes(self)[d - lead]
            if sizes(self)[d - lead] > (<Py_ssize_t>1 << 62) // max(times[d], 1):
                raise RuntimeError("Storage size calculation overflowed with repeats="
                                   f"{list(repeats)}")
    result = empty(n, size, self.dtype)
    if numel(result) == 0:
        return result
    n = _repeat_geometry(ndim(self), sizes(self), strides(self), n, times, wide, to, of)
    for d in range(n):
        to[d] *= itemsizes[self.dtype]
        of[d] *= itemsizes[self.dtype]
    _copy(n, wide, data(result), to, data(self), of, itemsizes[self.dtype], numel(result))
    return result


cdef int _copy(int n, const Py_ssize_t* size, char* to, const Py_ssize_t* to_strides,
               const char* of,
               const Py_ssize_t* of_strides, Py_ssize_t item, Py_ssize_t work) except -1:
    if work >= RELEASE_GIL:
        with nogil:
            copy_strided(n, size, to, to_strides, of, of_strides, item)
    else:
        copy_strided(n, size, to, to_strides, of, of_strides, item)
    return 0


cdef TensorImpl repeat_backward(TensorImpl grad, tuple repeats, tuple input_shape):
    cdef Py_ssize_t[MAX_DIMS] times
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] wide
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int n = read_sizes(repeats, times), dims = read_sizes(input_shape, size)
    cdef TensorImpl result = zeros(dims, size, grad.dtype)
    if numel(grad) == 0:
        return result
    grad = contiguous(grad)
    n = _repeat_geometry(dims, size, strides(result), n, times, wide, of, to)
    add_into(as_strided_impl(result, n, wide, to, 0),
             as_strided_impl(grad, n, wide, of, grad.storage_offset))
    return result


cdef TensorImpl tile(TensorImpl self, tuple dims):
    return repeat(self, (1,) * (ndim(self) - len(dims)) + dims)


# ---- roll and flip

cdef TensorImpl roll(TensorImpl self, tuple shifts, tuple dims):
    cdef Py_ssize_t[MAX_DIMS] shift
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int n = ndim(self), d, k, memory_format
    cdef Py_ssize_t by
    cdef TensorImpl result
    if not dims and len(shifts) == 1:
        result = view(contiguous(self), (numel(self),))
        return view(roll(result, shifts, (0,)), tuple([sizes(self)[d] for d in range(n)]))
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if numel(self) == 0:
        return clone(self)
    memset(shift, 0, sizeof(shift))
    memory_format = suggest_memory_format(self)
    for k in range(len(dims)):
        if n == 0:
            raise IndexError(f"Dimension specified as {dims[k]} but tensor has no dimensions")
        d = wrap_dim(dims[k], n)
        # Python's remainder takes shifts of any size and, unlike C's, is never negative
        by = <object>shifts[k] % <object>sizes(self)[d]
        shift[d] = (shift[d] + by) % sizes(self)[d]
        if by == 0:
            # PyTorch joins the whole tensor and an empty part here, which have no common memory format
            memory_format = CONTIGUOUS_FORMAT
    result = empty_in_format(self, self.dtype, memory_format)
    byte_strides(result, to)
    byte_strides(self, of)
    roll_kernel(n, sizes(self), data(result), to, data(self), of, shift, itemsizes[self.dtype])
    return result


cdef TensorImpl flip(TensorImpl self, tuple dims):
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef bint[MAX_DIMS] flipped
    cdef TensorImpl result
    cdef int d
    cdef char* start = data(self)
    memset(flipped, 0, sizeof(flipped))
    for item in dims:
        d = wrap_dim(item, ndim(self))
        if flipped[d]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        flipped[d] = True
    if ndim(self) and flipped[ndim(self) - 1] and numel(self):
        reject_dtypes(self.dtype, CARRIED, "flip_cpu")
    result = empty_like(self, self.dtype)
    if numel(self) == 0:
        return result
    byte_strides(result, to)
    byte_strides(self, of)
    for d in range(ndim(self)):
        if flipped[d]:
            # read from the last element backwards
            start += (sizes(self)[d] - 1) * of[d]
            of[d] = -of[d]
    _copy(ndim(self), sizes(self), data(result), to, start, of, itemsizes[self.dtype], numel(self))
    return result


cdef TensorImpl fliplr(TensorImpl self):
    if ndim(self) < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(self, (1,))


cdef TensorImpl flipud(TensorImpl self):
    if ndim(self) < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(self, (0,))


cdef TensorImpl rot90(TensorImpl self, Py_ssize_t k=1, tuple dims=(0, 1)):
    cdef Py_ssize_t turns = k % 4 if k % 4 >= 0 else k % 4 + 4
    cdef int n = ndim(self)
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if n < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {n}")
    a, b = dims
    if a == b or abs(a - b) == n:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {a} and dim1 = {b}")
    a, b = wrap_dim(a, n), wrap_dim(b, n)
    if turns == 1:
        return transpose(flip(self, (b,)), a, b)
    if turns == 2:
        return flip(self, (a, b))
    if turns == 3:
        return transpose(flip(self, (a,)), a, b)
    return clone(self, CONTIGUOUS_FORMAT)


# ---- triangles

cdef TensorImpl _triangle(TensorImpl self, Py_ssize_t diagonal, bint upper, TensorImpl out):
    cdef Py_ssize_t[MAX_DIMS] to
    cdef Py_ssize_t[MAX_DIMS] of
    cdef int n = ndim(self)
    cdef char* a
    cdef char* b
    cdef Py_ssize_t* size
    cdef Py_ssize_t item = itemsizes[self.dtype]
    if n < 2:
        raise RuntimeError(
            f"{'triu' if upper else 'tril'}: input tensor must have at least 2 dimensions")
    reject_dtypes(self.dtype, WIDE_UNSIGNED | FLOAT8, "triu" if upper else "tril")
    if out is None:
        out = empty(n, sizes(self), self.dtype)
    elif out is not self:
        check_out_dtype(out, self.dtype)
        if out.storage == self.storage:
            self = clone(self)
        resize_output(out, n, sizes(self))
    if numel(self) == 0:
        return out
    byte_strides(out, to)
    byte_strides(self, of)
    # clamp the diagonal to the corners: larger values change nothing but could overflow
    diagonal = min(max(diagonal, -sizes(self)[n - 2]), sizes(self)[n - 1])
    a = data(out)
    b = data(self)
    size = sizes(self)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            triangle(n, size, a, to, b, of, diagonal, upper, item)
    else:
        triangle(n, size, a, to, b, of, diagonal, upper, item)
    return out


cdef TensorImpl tril(TensorImpl self, Py_ssize_t diagonal=0, TensorImpl out=None):
    return _triangle(self, diagonal, False, out)


cdef TensorImpl triu(TensorImpl self, Py_ssize_t diagonal=0, TensorImpl out=None):
    return _triangle(self, diagonal, True, out)
