"""Sorting and selecting: sort, topk, kthvalue, median, mode.

The kernels work on the rows of a contiguous (m, n) matrix: the dimension is moved to the end before a kernel
runs, and moved back in its results.
"""

from libc.stdint cimport int64_t

from minitorch.core.dtype cimport (
    Bool, Float64, Int16, Int32, Int64, UInt16, UInt32, class_name, is_complex, is_floating, is_wide_unsigned,
    itemsizes)
from minitorch.core.iterator cimport is_row_major
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, alias, as_strided_impl, data, empty, empty_like, is_contiguous, ndim, numel, sizes,
    wrap_dim, wrap_number)
from minitorch.kernels.sorting.sorting cimport kthvalue_kernel, median_kernel, sort_kernel, topk_kernel
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.checks cimport CARRIED, FLOAT8, reject_dtypes
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, cast, clone, contiguous, copy_, zero_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.elementwise.compare cimport bitwise_xor, ne
from minitorch.ops.indexing.gather cimport gather, take
from minitorch.ops.shape.slices cimport slice_dim
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport reshape, view

cdef enum:
    RELEASE_GIL = 10000                 # elements from which a kernel runs without the GIL
    INSERTED = 16                       # rows of up to this many elements are sorted by insertion in PyTorch


# ---- rows

cdef inline TensorImpl _last(TensorImpl self, int dim):
    """Return `self` with this dimension last, contiguous."""
    if ndim(self) > 1 and dim != ndim(self) - 1:
        self = transpose(self, dim, ndim(self) - 1)
    return contiguous(self)


cdef TensorImpl _rows(TensorImpl self, int dim, Py_ssize_t k, int dtype):
    """Return memory for k results per row, with the dimension last; k = -1 means one, without a dimension."""
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, n = ndim(self)
    for d in range(n):
        shape[d] = sizes(self)[d]
    if n:
        shape[dim] = shape[n - 1]
        shape[n - 1] = 1 if k < 0 else k
    return empty(n, shape, dtype)


cdef TensorImpl _back(TensorImpl rows, int dim, bint keepdim, bint drop, TensorImpl like,
                      TensorImpl out):
    """Return the results of rows in the shape of the operator's result, in `out` if given.

    With `drop`, the dimension has one element and is removed unless keepdim is true. Otherwise the result gets
    the strides of `like`, or is row-major if that is None.
    """
    cdef TensorImpl view_ = rows, result
    cdef Py_ssize_t[MAX_DIMS] shape
    cdef int d, n = ndim(rows), count = 0
    if n > 1 and dim != n - 1:
        view_ = transpose(rows, dim, n - 1)
    if drop and not keepdim and n:
        for d in range(n):
            if d != dim:
                shape[count] = sizes(view_)[d]
                count += 1
        view_ = reshape(view_, tuple([shape[d] for d in range(count)]))
    if out is not None:
        resize_output(out, ndim(view_), sizes(view_))
        return copy_(out, view_)
    if like is None:
        if is_row_major(view_.geometry):
            return view_
        if is_contiguous(view_):        # the strides of dimensions of size 1 differ
            return as_strided_impl(view_, ndim(view_), sizes(view_), NULL, view_.storage_offset)
        return clone(view_, CONTIGUOUS_FORMAT)
    result = empty_like(like, rows.dtype)
    if result.geometry == view_.geometry:
        return view_
    return copy_(result, view_)


cdef int _check_status(int status, int dtype, str name) except -1:
    if status == 0:
        return 0
    if status < 0:
        raise MemoryError(f"no scratch memory for {name}")
    raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')


cdef inline Py_ssize_t _length(TensorImpl self, int dim) noexcept:
    return sizes(self)[dim] if ndim(self) else 1


cdef int _check_out(TensorImpl self, TensorImpl values, TensorImpl indices) except -1:
    if values is not None:
        check_out_dtype(values, self.dtype)
        check_out_dtype(indices, Int64)
    return 0


# ---- sort and topk

cdef TensorImpl _other_sign_bit(TensorImpl self, int dtype):
    """Return a copy of integers with the sign bit of each flipped, as another dtype of the same width."""
    cdef TensorImpl bits = alias(self)
    bits.dtype = Int16 if itemsizes[dtype] == 2 else Int32 if itemsizes[dtype] == 4 else Int64
    bits = bitwise_xor(bits, wrap_number(-(1 << (8 * itemsizes[dtype] - 1))))
    bits.dtype = dtype
    return bits


cdef TensorImpl in_signed_order(TensorImpl self):
    return _other_sign_bit(self, Int16 if self.dtype == UInt16 else Int32 if self.dtype == UInt32 else Int64)


cdef TensorImpl from_signed_order(TensorImpl self, int dtype):
    return _other_sign_bit(self, dtype)


cdef tuple sort(TensorImpl self, Py_ssize_t dim=-1, bint descending=False, TensorImpl values=None,
                TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self)), status, dtype = self.dtype
    cdef Py_ssize_t n = _length(self, d), m = numel(self) // n if n else 0
    cdef TensorImpl rows, new_values, new_indices
    cdef char* x
    cdef char* y
    cdef char* k
    if is_complex(dtype):
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    _check_out(self, values, indices)
    if ndim(self):
        reject_dtypes(dtype, FLOAT8, "sorting_kernel_method_name")
    if is_wide_unsigned(dtype):
        new_values, new_indices = sort(in_signed_order(self), dim, descending)
        new_values = from_signed_order(new_values, dtype)
        if values is None:
            return new_values, new_indices
        resize_output(values, ndim(self), sizes(self))
        resize_output(indices, ndim(self), sizes(self))
        return copy_(values, new_values), copy_(indices, new_indices)
    self = plain_bools(self)
    rows = _last(self, d)
    new_values = _rows(self, d, n, dtype)
    new_indices = _rows(self, d, n, Int64)
    x, y, k = data(rows), data(new_values), data(new_indices)
    if m == 0:
        status = 0
    elif numel(self) >= RELEASE_GIL:
        with nogil:
            status = sort_kernel(x, y, k, m, n, dtype, descending)
    else:
        status = sort_kernel(x, y, k, m, n, dtype, descending)
    _check_status(status, dtype, "sorting_kernel_method_name")
    return (_back(new_values, d, True, False, self, values),
            _back(new_indices, d, True, False, self, indices))


cdef tuple sort_stable(TensorImpl self, object stable, Py_ssize_t dim=-1, bint descending=False,
                       TensorImpl values=None, TensorImpl indices=None):
    return sort(self, dim, descending, values, indices)


cdef TensorImpl argsort(TensorImpl self, Py_ssize_t dim=-1, bint descending=False):
    return sort(self, dim, descending)[1]


cdef TensorImpl msort(TensorImpl self):
    return sort(self, 0, False)[0]


cdef tuple topk(TensorImpl self, Py_ssize_t k, Py_ssize_t dim=-1, bint largest=True,
                bint sorted=True, TensorImpl values=None, TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self)), status, dtype = self.dtype
    cdef Py_ssize_t n = _length(self, d), m
    cdef TensorImpl rows, new_values, new_indices
    cdef char* x
    cdef char* y
    cdef char* z
    if k < 0 or k > n:
        raise RuntimeError("selected index k out of range")
    if is_complex(dtype):
        raise RuntimeError(" topk does not support complex dtypes on CPU")
    if dtype == Bool:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    _check_out(self, values, indices)
    rows = _last(self, d)
    new_values = _rows(self, d, k, dtype)
    new_indices = _rows(self, d, k, Int64)
    x, y, z = data(rows), data(new_values), data(new_indices)
    m = numel(self) // n if n else 0
    if m * k == 0:
        status = 0
        if ndim(self) == 0:
            copy_(new_values, self)
            zero_(new_indices)
    elif numel(self) >= RELEASE_GIL:
        with nogil:
            status = topk_kernel(x, y, z, m, n, k, dtype, largest, sorted)
    else:
        status = topk_kernel(x, y, z, m, n, k, dtype, largest, sorted)
    _check_status(status, dtype, "topk_cpu")
    return (_back(new_values, d, True, False, None, values),
            _back(new_indices, d, True, False, None, indices))


# ---- one element per row

cdef enum Selection:
    KTHVALUE
    MEDIAN
    NANMEDIAN


cdef tuple _select(Selection what, TensorImpl self, Py_ssize_t k, int d, bint keepdim,
                   TensorImpl values, TensorImpl indices, str name):
    cdef int status = 0, dtype = self.dtype
    cdef Py_ssize_t n = _length(self, d), m = numel(self) // n
    cdef TensorImpl rows = _last(self, d)
    cdef TensorImpl new_values = _rows(self, d, -1, dtype), new_indices = _rows(self, d, -1, Int64)
    cdef char* x = data(rows)
    cdef char* y = data(new_values)
    cdef char* z = data(new_indices)
    cdef bint ignore_nan = what == NANMEDIAN
    if m:
        with nogil:
            if what == KTHVALUE:
                status = kthvalue_kernel(x, y, z, m, n, k, dtype)
            else:
                status = median_kernel(x, y, z, m, n, dtype, ignore_nan)
    _check_status(status, dtype, name)
    return (_back(new_values, d, keepdim, True, None, values),
            _back(new_indices, d, keepdim, True, None, indices))


cdef int _check_selection(TensorImpl self, int d, str name, TensorImpl values,
                          TensorImpl indices) except -1:
    if _length(self, d) == 0:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    if values is not None and values.dtype != self.dtype:
        raise RuntimeError("output values must be of same type as input")
    if indices is not None and indices.dtype != Int64:
        raise RuntimeError(
            f"Expected tensor for argument #1 'indices' to have scalar type Long; but got "
            f"torch.{class_name(indices.dtype)}Tensor instead (while checking arguments for "
            f"{name})")
    return 0


cdef tuple _only_element(TensorImpl self, TensorImpl values, TensorImpl indices):
    """Return the value and index that are selected from a 0-dim tensor of any dtype."""
    cdef TensorImpl new_values = _rows(self, 0, -1, self.dtype)
    cdef TensorImpl new_indices = zero_(_rows(self, 0, -1, Int64))
    copy_(new_values, self)
    return (_back(new_values, 0, False, True, None, values),
            _back(new_indices, 0, False, True, None, indices))


cdef int _check_order(TensorImpl self, str name) except -1:
    if is_complex(self.dtype) or self.dtype == Bool:
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(self.dtype)}\'')
    return 0


cdef tuple kthvalue(TensorImpl self, Py_ssize_t k, Py_ssize_t dim=-1, bint keepdim=False,
                    TensorImpl values=None, TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self))
    _check_selection(self, d, "kthvalue", values, indices)
    if k < 1 or k > _length(self, d):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {d}")
    if ndim(self) == 0:
        return _only_element(self, values, indices)
    _check_order(self, "kthvalue_cpu")
    return _select(KTHVALUE, self, k, d, keepdim, values, indices, "kthvalue_cpu")


cdef tuple median_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=False, TensorImpl values=None,
                      TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self))
    _check_selection(self, d, "median", values, indices)
    _check_order(self, "median_out")
    return _select(MEDIAN, self, 0, d, keepdim, values, indices, "median_cpu")


cdef tuple nanmedian_dim(TensorImpl self, Py_ssize_t dim, bint keepdim=False,
                         TensorImpl values=None, TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self))
    _check_selection(self, d, "median", values, indices)
    _check_order(self, "median_out")
    return _select(NANMEDIAN, self, 0, d, keepdim, values, indices, "median_cpu")


cdef TensorImpl _median_of_all(TensorImpl self, Selection what):
    if numel(self) == 0:
        # PyTorch returns nan converted to the dtype: the smallest int64 or int32, 0 for smaller integers
        if is_floating(self.dtype) or is_complex(self.dtype) or self.dtype == Bool:
            return scalar_tensor(float("nan"), self.dtype)
        return scalar_tensor({Int64: -2**63, Int32: -2**31}.get(self.dtype, 0), self.dtype)
    _check_order(self, "median_cpu")
    self = reshape(self, (numel(self),))
    return _select(what, self, 0, 0, False, None, None, "median_cpu")[0]


cdef TensorImpl median(TensorImpl self):
    return _median_of_all(self, MEDIAN)


cdef TensorImpl nanmedian(TensorImpl self):
    return _median_of_all(self, NANMEDIAN)


cdef bint _order_around_nan(TensorImpl rows, Py_ssize_t m, Py_ssize_t n, TensorImpl order) except -1:
    """Reorder short rows that contain nan by insertion with `<`, like PyTorch; return whether there are any.

    Nothing compares less than nan, so a nan separates the elements before it from those after it. Rows of more
    than INSERTED elements keep their order.
    """
    cdef TensorImpl numbers = contiguous(cast(rows, Float64))
    cdef const double* x = <const double*>data(numbers)
    cdef int64_t* p = <int64_t*>data(order)
    cdef Py_ssize_t j, k
    cdef bint found = False
    for _ in range(m if n <= INSERTED else 0):
        if x[p[n - 1]] != x[p[n - 1]]:
            found = True
            for j in range(n):
                k = j
                if x[j] < x[p[0]]:
                    for k in range(j, 0, -1):
                        p[k] = p[k - 1]
                    k = 0
                while k > 0 and x[j] < x[p[k - 1]]:
                    p[k] = p[k - 1]
                    k -= 1
                p[k] = j
        x += n
        p += n
    return found


cdef tuple mode(TensorImpl self, Py_ssize_t dim=-1, bint keepdim=False, TensorImpl values=None,
                TensorImpl indices=None):
    cdef int d = wrap_dim(dim, ndim(self))
    cdef Py_ssize_t n = _length(self, d), m, i, j, begin, longest, last
    cdef TensorImpl elements, rows, order, breaks, places, new_values, new_indices
    cdef const char* differs
    cdef const int64_t* positions
    cdef int64_t* place
    cdef int64_t* found
    _check_selection(self, d, "mode", values, indices)
    if ndim(self) == 0:
        return _only_element(self, values, indices)
    if numel(self) == 0:                 # of any dtype
        return (_back(_rows(self, d, -1, self.dtype), d, keepdim, True, None, values),
                _back(_rows(self, d, -1, Int64), d, keepdim, True, None, indices))
    reject_dtypes(self.dtype, CARRIED, "mode_cpu")
    if is_complex(self.dtype):
        raise NotImplementedError(f'"mode_cpu" not implemented for \'{class_name(self.dtype)}\'')
    self = plain_bools(self)
    m = numel(self) // n
    elements = view(_last(self, d), (m, n))
    rows, order = sort(elements, 1)
    if is_floating(self.dtype) and n and _order_around_nan(elements, m, n, order):
        rows = gather(elements, 1, order)
    # a run ends where the next element differs
    breaks = contiguous(ne(slice_dim(rows, 1, 1, n, 1), slice_dim(rows, 1, 0, n - 1, 1)))
    new_indices = _rows(self, d, -1, Int64)
    places = empty(1, &m, Int64)
    differs, positions = data(breaks), <int64_t*>data(order)
    place, found = <int64_t*>data(places), <int64_t*>data(new_indices)
    for i in range(m):
        begin = longest = last = 0
        for j in range(n):
            if j == n - 1 or differs[i * (n - 1) + j]:
                if j + 1 - begin > longest:
                    longest = j + 1 - begin
                    last = j
                begin = j + 1
        found[i] = positions[i * n + last]
        place[i] = i * n + last
    new_values = _rows(self, d, -1, self.dtype)
    copy_(view(new_values, (m,)), take(rows, places))
    return (_back(new_values, d, keepdim, True, None, values),
            _back(new_indices, d, keepdim, True, None, indices))
