"""Distinct elements and slices: unique and unique_consecutive."""

from libc.stdint cimport int64_t

from minitorch.core.dtype cimport Int64, class_name, is_complex, is_float8, is_wide_unsigned
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, sizes, sizes_tuple, wrap_dim)
from minitorch.kernels.sorting.unique cimport unique_consecutive_kernel, unique_kernel
from minitorch.ops.common.bools cimport plain_bools
from minitorch.ops.common.bulk cimport zeros
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, clone, contiguous
from minitorch.ops.elementwise.compare cimport ne
from minitorch.ops.indexing.index_select cimport index_select
from minitorch.ops.reduction.reduction cimport any
from minitorch.ops.shape.slices cimport select_dim, slice_dim
from minitorch.ops.shape.transposes cimport movedim
from minitorch.ops.shape.views cimport reshape
from minitorch.ops.sorting.sorting cimport argsort, from_signed_order, in_signed_order

ctypedef Py_ssize_t (*Distinct)(const char* x, Py_ssize_t n, int dtype, char* values, char* inverse,
                                char* counts) noexcept nogil


cdef TensorImpl _nothing():
    cdef Py_ssize_t n = 0
    return empty(1, &n, Int64)


# ---- elements

cdef tuple _of_elements(Distinct kernel, TensorImpl self, bint return_inverse, bint return_counts,
                        str name):
    if is_wide_unsigned(self.dtype):
        found = _of_elements(kernel, in_signed_order(self), return_inverse, return_counts, name)
        return from_signed_order(found[0], self.dtype), found[1], found[2]
    cdef Py_ssize_t n = numel(self), count
    cdef TensorImpl values, inverse = _nothing(), counts = _nothing()
    cdef char* x
    cdef char* y
    cdef char* p = NULL
    cdef char* q = NULL
    cdef int dtype = self.dtype
    if is_complex(dtype) or is_float8(dtype):
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    self = contiguous(self)
    values = empty(1, &n, dtype)
    if return_inverse:
        inverse = empty(ndim(self), sizes(self), Int64)
        p = data(inverse)
    if return_counts:
        counts = empty(1, &n, Int64)
        q = data(counts)
    if n == 0:
        return values, inverse, counts
    x, y = data(self), data(values)
    with nogil:
        count = kernel(x, n, dtype, y, p, q)
    if count == -1:
        raise MemoryError(f"no scratch memory for {name}")
    if count < 0:
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    # copy to storage without unused elements
    values = clone(slice_dim(values, 0, 0, count, 1))
    if return_counts:
        counts = clone(slice_dim(counts, 0, 0, count, 1))
    return values, inverse, counts


cdef tuple _unique2(TensorImpl self, bint sorted=True, bint return_inverse=False,
                    bint return_counts=False):
    return _of_elements(unique_kernel, plain_bools(self), return_inverse, return_counts, "unique")


# ---- slices

cdef TensorImpl _lexical_order(TensorImpl rows):
    """Return the lexical order of the rows of a matrix, by stable sorts from the last column to the first."""
    cdef TensorImpl order = argsort(select_dim(rows, 1, sizes(rows)[1] - 1), 0)
    cdef Py_ssize_t k
    for k in range(sizes(rows)[1] - 2, -1, -1):
        order = index_select(order, 0, argsort(index_select(select_dim(rows, 1, k), 0, order), 0))
    return order


cdef tuple _of_slices(TensorImpl self, int dim, bint in_order, bint return_inverse,
                      bint return_counts,
                      str name):
    if is_wide_unsigned(self.dtype):
        found = _of_slices(in_signed_order(self), dim, in_order, return_inverse, return_counts, name)
        return from_signed_order(found[0], self.dtype), found[1], found[2]
    cdef TensorImpl front, rows, order = None, sorted_rows, breaks, firsts, inverse, counts
    cdef Py_ssize_t n = sizes(self)[dim], i, k = -1, count
    cdef const char* differs
    cdef int64_t* place
    cdef int64_t* first
    cdef int64_t* number
    cdef int64_t* length
    if is_complex(self.dtype) or is_float8(self.dtype):
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(self.dtype)}\'')
    if numel(self) == 0:
        empties = [size for d, size in enumerate(sizes_tuple(self)) if size == 0 and d != dim]
        if n or empties:
            raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique "
                               "cannot "
                               "be applied")
        return clone(self, CONTIGUOUS_FORMAT), _nothing(), _nothing()
    front = movedim(self, (dim,), (0,))
    rows = contiguous(reshape(front, (n, numel(self) // n)))
    sorted_rows = rows
    if not in_order:
        order = contiguous(_lexical_order(rows))
        sorted_rows = index_select(rows, 0, order)
    breaks = contiguous(any(ne(slice_dim(sorted_rows, 0, 1, n, 1), slice_dim(sorted_rows, 0, 0,
                                                                             n - 1, 1)),
                            (1,)))
    firsts, inverse, counts = empty(1, &n, Int64), empty(1, &n, Int64), zeros(1, &n, Int64)
    differs = data(breaks)
    place = <int64_t*>data(order) if order is not None else NULL
    first, number = <int64_t*>data(firsts), <int64_t*>data(inverse)
    length = <int64_t*>data(counts)
    for i in range(n):
        if i == 0 or differs[i - 1]:
            k += 1
            first[k] = place[i] if place != NULL else i
        number[place[i] if place != NULL else i] = k
        length[k] += 1
    count = k + 1
    # in memory, the dimension comes first
    values = movedim(index_select(contiguous(front), 0, slice_dim(firsts, 0, 0, count, 1)), (0,),
                     (dim,))
    return (values, inverse if return_inverse else _nothing(),
            clone(slice_dim(counts, 0, 0, count, 1)) if return_counts else _nothing())


cdef tuple unique_dim(TensorImpl self, Py_ssize_t dim, bint sorted=True, bint return_inverse=False,
                      bint return_counts=False):
    if ndim(self) == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    # as in PyTorch, both are always computed, whatever the flags are
    return _of_slices(plain_bools(self), wrap_dim(dim, ndim(self)), False, True, True, "unique_dim")


cdef tuple unique_consecutive(TensorImpl self, bint return_inverse=False, bint return_counts=False,
                              object dim=None):
    self = plain_bools(self)
    if dim is None or (ndim(self) == 1 and wrap_dim(dim, 1) == 0):
        return _of_elements(unique_consecutive_kernel, self, return_inverse, return_counts,
                            "unique")
    if ndim(self) == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return _of_slices(self, wrap_dim(dim, ndim(self)), True, return_inverse, return_counts,
                      "unique_dim")
