"""Views that change the shape: they compute sizes and strides and access no element.

`view`, `reshape`, `flatten` and `unflatten` all get their strides from `compute_stride`.
"""

from libc.string cimport memcpy

from minitorch.core.dtype cimport class_name, itemsizes
from minitorch.core.overflow cimport add_overflows, mul_overflows
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, alias as impl_alias, as_strided_impl, ndim, numel, own_version_counter, read_sizes, sizes,
    sizes_of, strides, wrap_dim)
from minitorch.ops.common.bulk cimport shape_text
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone
from minitorch.ops.common.type_names cimport tensor_type_name

from minitorch.core.error_pages import explained


# ---- view and reshape

cdef int infer_size(object sequence, Py_ssize_t numel, Py_ssize_t* out) except -1:
    cdef int d, n = read_sizes(sequence, out), unknown = -1
    cdef Py_ssize_t known = 1
    cdef bint fits = True
    for d in range(n):
        if out[d] == -1:
            if unknown >= 0:
                raise RuntimeError("only one dimension can be inferred")
            unknown = d
        elif out[d] < 0:
            raise RuntimeError(
                f"invalid shape dimension {out[d]} at index {d} of shape {shape_text(n, out)}")
        elif mul_overflows(known, out[d], &known):
            fits = False
            known = 1
    if unknown < 0:
        fits = fits and known == numel
    elif known == 0:
        fits = numel == 0
        if fits:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {shape_text(n, out)} because the "
                "unspecified dimension size -1 can be any value and is ambiguous")
    else:
        fits = fits and numel % known == 0
    if not fits:
        raise explained(RuntimeError(
            f"shape '{shape_text(n, out)}' is invalid for input of size {numel}"), "reshape-size")
    if unknown >= 0:
        out[unknown] = numel // known
    return n


cdef bint compute_stride(TensorImpl self, int n, const Py_ssize_t* size, Py_ssize_t* out) noexcept:
    # The dimensions of self form runs that are contiguous in themselves. Both shapes are read from the right: the
    # new dimensions must fill one run after the other, and none may cross the end of a run.
    cdef Py_ssize_t* old = sizes(self)
    cdef Py_ssize_t* old_strides = strides(self)
    cdef Py_ssize_t step, held, filled
    cdef int d = ndim(self) - 1, k = n - 1
    if numel(self) == 0:
        if n == ndim(self) and all_equal(n, size, old):
            memcpy(out, old_strides, n * sizeof(Py_ssize_t))
            return True
        step = 1
        while k >= 0:
            out[k] = step
            step *= max(size[k], 1)
            k -= 1
        return True
    if d < 0:
        while k >= 0:
            out[k] = 1
            k -= 1
        return True
    while d >= 0:
        step = old_strides[d]
        held = old[d]
        while d > 0 and (old[d - 1] == 1 or old_strides[d - 1] == held * step):
            d -= 1
            held *= old[d]
        filled = 1
        while k >= 0 and (filled < held or size[k] == 1):
            out[k] = filled * step
            filled *= size[k]
            k -= 1
        if filled != held:
            return False
        d -= 1
    return k < 0


cdef inline bint all_equal(int n, const Py_ssize_t* a, const Py_ssize_t* b) noexcept:
    for d in range(n):
        if a[d] != b[d]:
            return False
    return True


cdef TensorImpl _view(TensorImpl self, int n, const Py_ssize_t* size):
    cdef Py_ssize_t[MAX_DIMS] stride
    if not compute_stride(self, n, size, stride):
        raise explained(RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."), "view-of-non-contiguous")
    return as_strided_impl(self, n, size, stride, self.storage_offset)


cdef TensorImpl _reshape(TensorImpl self, int n, const Py_ssize_t* size):
    cdef Py_ssize_t[MAX_DIMS] stride
    if compute_stride(self, n, size, stride):
        return as_strided_impl(self, n, size, stride, self.storage_offset)
    return _view(clone(self, CONTIGUOUS_FORMAT), n, size)


cdef TensorImpl alias(TensorImpl self):
    return impl_alias(self)


cdef TensorImpl alias_once(TensorImpl self, str message):
    return impl_alias(self)


cdef TensorImpl grad_once(TensorImpl grad, TensorImpl self, str message, bint missing):
    return impl_alias(grad)


cdef TensorImpl detach(TensorImpl self):
    cdef TensorImpl result = impl_alias(self)
    if self.inference:
        own_version_counter(result)         # outside of inference mode, the result of detach can be written to
        result.uncounted = False
    return result


cdef TensorImpl view(TensorImpl self, tuple size):
    cdef Py_ssize_t[MAX_DIMS] n
    return _view(self, infer_size(size, numel(self), n), n)


cdef TensorImpl unsafe_view(TensorImpl self, tuple size):
    cdef TensorImpl result = view(self, size)
    own_version_counter(result)
    return result


cdef TensorImpl view_as(TensorImpl self, TensorImpl other):
    if numel(self) != numel(other):
        raise RuntimeError(f"shape '{shape_text(ndim(other), sizes(other))}' is invalid for input "
                           f"of size {numel(self)}")
    return _view(self, ndim(other), sizes(other))


cdef bint reshape_is_view(TensorImpl self, tuple shape) except -1:
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] stride
    return compute_stride(self, infer_size(shape, numel(self), n), n, stride)


cdef TensorImpl reshape(TensorImpl self, tuple shape):
    cdef Py_ssize_t[MAX_DIMS] n
    return _reshape(self, infer_size(shape, numel(self), n), n)


cdef TensorImpl flatten(TensorImpl self, Py_ssize_t start_dim=0, Py_ssize_t end_dim=-1):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef int d, n = ndim(self), start = wrap_dim(start_dim, n), end = wrap_dim(end_dim, n)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if n == 0:
        size[0] = 1
        return _reshape(self, 1, size)
    if start == end:
        return self
    memcpy(size, sizes(self), (start + 1) * sizeof(Py_ssize_t))
    for d in range(start + 1, end + 1):
        size[start] *= sizes(self)[d]
    for d in range(end + 1, n):
        size[d - end + start] = sizes(self)[d]
    return _reshape(self, n - end + start, size)


cdef TensorImpl unflatten(TensorImpl self, Py_ssize_t dim, tuple sizes):
    cdef Py_ssize_t[MAX_DIMS] part
    cdef Py_ssize_t[2 * MAX_DIMS] size
    cdef int d, n, k
    cdef Py_ssize_t* old = sizes_of(self.geometry)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    d = wrap_dim(dim, ndim(self))
    if ndim(self) == 0:
        raise RuntimeError("unflatten got an unexpected error:\n"
                           f"Dimension specified as {d} but tensor has no dimensions")
    try:
        n = infer_size(sizes, old[d], part)
    except RuntimeError as error:
        if "is invalid for input of size" in str(error):
            raise RuntimeError(
                f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {d} "
                f"({old[d]}) in the input tensor") from None
        raise RuntimeError(f"unflatten got an unexpected error:\n{error}") from None
    for k in range(d):
        size[k] = old[k]
    for k in range(n):
        size[d + k] = part[k]
    for k in range(d + 1, ndim(self)):
        size[k + n - 1] = old[k]
    n += ndim(self) - 1
    if n > MAX_DIMS:
        raise RuntimeError(f"tensors with more than {MAX_DIMS} dimensions are not supported, got "
                           f"{n}")
    return _view(self, n, size)


cdef TensorImpl view_dtype(TensorImpl self, int dtype):
    # Decision table: same element size -> same geometry; smaller elements -> the last dimension
    # grows; larger ones -> it shrinks, and every stride and the offset must be whole elements
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef Py_ssize_t old = itemsizes[self.dtype], new = itemsizes[dtype], ratio
    cdef Py_ssize_t offset = self.storage_offset
    cdef int d, last = ndim(self) - 1
    cdef TensorImpl result
    if old == new:
        result = impl_alias(self)
        result.dtype = dtype
        return result
    cdef str what = (f"to view {class_name(self.dtype)} as {class_name(dtype)} "
                     "(different element sizes)")
    if last < 0:
        raise RuntimeError(f"self.dim() cannot be 0 {what}")
    memcpy(size, sizes(self), (last + 1) * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), (last + 1) * sizeof(Py_ssize_t))
    if old < new:
        ratio = new // old
        if size[last] % ratio:
            raise RuntimeError(f"self.size(-1) must be divisible by {ratio} {what}, but got "
                               f"{size[last]}")
        if offset % ratio:
            raise RuntimeError(f"self.storage_offset() must be divisible by {ratio} {what}, "
                               f"but got {offset}")
    if stride[last] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {what}, but got {stride[last]}")
    if old > new:
        ratio = old // new
        for d in range(last):
            stride[d] *= ratio
        size[last] *= ratio
        offset *= ratio
    else:
        for d in range(last):
            if stride[d] % ratio:
                raise RuntimeError(f"self.stride({d}) must be divisible by {ratio} {what}, "
                                   f"but got {stride[d]}")
            stride[d] //= ratio
        size[last] //= ratio
        offset //= ratio
    result = as_strided_impl(self, last + 1, size, stride, offset)
    result.dtype = dtype
    return result


# ---- expand

cdef TensorImpl expand(TensorImpl self, tuple size, bint implicit=False):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int count = read_sizes(size, n), old = ndim(self), lead = count - old, d
    cdef Py_ssize_t have, wanted
    if lead < 0:
        raise RuntimeError(
            f"expand({tensor_type_name(self.dtype)}{{{shape_text(old, sizes(self))}}}, "
            f"size={list(size)}): the number of sizes provided ({count}) must be greater or equal "
            f"to the number of dimensions in the tensor ({old})")
    for d in range(count - 1, -1, -1):
        wanted = n[d]
        if d >= lead:
            have = sizes(self)[d - lead]
            stride[d] = strides(self)[d - lead]
        else:
            have = 1
            stride[d] = n[d + 1] * stride[d + 1] if old else 0
            if wanted == -1 and old:
                raise RuntimeError(f"The expanded size of the tensor ({wanted}) isn't allowed in a "
                                   f"leading, non-existing dimension {d}")
        if wanted == -1 and old:
            n[d] = have
        elif wanted != have:
            if have != 1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) must match the existing size "
                    f"({have}) at non-singleton dimension {d}.  Target sizes: {list(size)}.  "
                    f"Tensor sizes: {shape_text(old, sizes(self))}")
            stride[d] = 0
        if n[d] < 0:
            raise RuntimeError("numel: integer multiplication overflow")
    return as_strided_impl(self, count, n, stride, self.storage_offset)


cdef TensorImpl expand_as(TensorImpl self, TensorImpl other):
    return expand(self, tuple([sizes(other)[d] for d in range(ndim(other))]))


cdef TensorImpl broadcast_to(TensorImpl self, tuple size):
    return expand(self, size)


cdef list broadcast_tensors(list tensors):
    # aligned to the right: n[MAX_DIMS - 1] is the last size
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int count = 0, d
    cdef Py_ssize_t a, b
    cdef TensorImpl t
    for t in tensors:
        for d in range(1, ndim(t) + 1):
            b = sizes(t)[ndim(t) - d]
            a = n[MAX_DIMS - d] if d <= count else 1
            if a != b and a != 1 and b != 1:
                raise explained(RuntimeError(
                    f"The size of tensor a ({a}) must match the size of tensor b ({b}) at "
                    f"non-singleton dimension {max(count, ndim(t)) - d}"), "broadcast-shapes")
            n[MAX_DIMS - d] = b if a == 1 else a
        count = max(count, ndim(t))
    cdef tuple size = tuple([n[d] for d in range(MAX_DIMS - count, MAX_DIMS)])
    return [expand(t, size) for t in tensors]


# ---- as_strided

cdef TensorImpl as_strided(TensorImpl self, tuple size, tuple stride, object storage_offset=None):
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t offset = self.storage_offset if storage_offset is None else storage_offset
    cdef Py_ssize_t item = itemsizes[self.dtype], extent = 0, span, needed
    cdef int count = read_sizes(size, n), d
    cdef bint nothing = False, overflow = False
    if len(stride) != count:
        raise RuntimeError("mismatch in length of strides and shape")
    read_sizes(stride, s)
    for d in range(count):
        if s[d] < 0:
            raise RuntimeError("as_strided: Negative strides are not supported at the moment, got "
                               f"strides: {list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    for d in range(count):
        nothing = nothing or n[d] == 0
        overflow = (overflow or n[d] < 0 or mul_overflows(n[d] - 1, s[d], &span)
                    or add_overflows(extent, span, &extent))
    if not nothing:
        if (overflow or add_overflows(extent, 1, &extent) or add_overflows(extent, offset, &extent)
                or mul_overflows(extent, item, &needed)):
            raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and "
                               f"strides={list(stride)}")
        if needed > self.storage.nbytes:
            raise RuntimeError(
                f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
                f"and itemsize {item} requiring a storage size of {needed} are out of bounds for "
                f"storage of size {self.storage.nbytes}")
    return as_strided_impl(self, count, n, s, offset)


# ---- squeeze and unsqueeze

cdef TensorImpl _squeeze(TensorImpl self, unsigned long long dims):
    """Return a view without the dimensions of size 1 whose bit is set in `dims`."""
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int d, n = 0
    for d in range(ndim(self)):
        if sizes(self)[d] != 1 or not (dims >> d) & 1:
            size[n] = sizes(self)[d]
            stride[n] = strides(self)[d]
            n += 1
    return as_strided_impl(self, n, size, stride, self.storage_offset)


cdef TensorImpl squeeze(TensorImpl self):
    return _squeeze(self, ~<unsigned long long>0)


cdef TensorImpl squeeze_dim(TensorImpl self, Py_ssize_t dim):
    return _squeeze(self, <unsigned long long>1 << wrap_dim(dim, ndim(self)))


cdef TensorImpl squeeze_dims(TensorImpl self, tuple dim):
    return _squeeze(self, dims_mask(dim, ndim(self)))


cdef unsigned long long dims_mask(tuple dim, int ndim) except? 0:
    cdef unsigned long long mask = 0, bit
    for item in dim:
        d = wrap_dim(item, ndim)
        bit = <unsigned long long>1 << <int>d
        if mask & bit:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        mask |= bit
    return mask


cdef TensorImpl unsqueeze(TensorImpl self, Py_ssize_t dim):
    cdef Py_ssize_t[MAX_DIMS + 1] size
    cdef Py_ssize_t[MAX_DIMS + 1] stride
    cdef int n = ndim(self), d = wrap_dim(dim, n + 1)
    memcpy(size, sizes(self), d * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), d * sizeof(Py_ssize_t))
    memcpy(size + d + 1, sizes(self) + d, (n - d) * sizeof(Py_ssize_t))
    memcpy(stride + d + 1, strides(self) + d, (n - d) * sizeof(Py_ssize_t))
    size[d] = 1
    stride[d] = 1 if d == n else size[d + 1] * stride[d + 1]
    return as_strided_impl(self, n + 1, size, stride, self.storage_offset)
