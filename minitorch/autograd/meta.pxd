# Tensors without elements, on the device "meta", and the memory behind them.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Meta(Special):
    """The `special` of a tensor on the device ``meta``, which has only a shape, strides and a dtype."""


cdef class NoData:
    """The owner of the memory behind tensors without elements: as many bytes as they would have, all zero."""
    cdef char* memory
    cdef Py_ssize_t nbytes
    cdef bint mapped

cdef inline bint is_meta_impl(TensorImpl t) noexcept:
    return isinstance(t.special, Meta)

cdef bint is_meta(TensorBase t)                          # also true if it wraps such a tensor
cdef bint has_no_data(TensorBase t) noexcept             # whether a NoData owns its storage
# Sizes and strides are in elements; strides NULL: row-major
cdef TensorImpl without_elements(int dims, const Py_ssize_t* n, const Py_ssize_t* s, Py_ssize_t storage_offset,
                                 int dtype, Py_ssize_t storage_size=*)
cdef TensorImpl meta_like(TensorImpl like)               # a meta impl with the same shape, strides and dtype
cdef TensorImpl recognised(TensorImpl view)              # mark an impl as meta if its storage has no data
cdef int become_meta(TensorBase t, TensorImpl like) except -1    # for a new tensor
cdef bint default_is_meta() noexcept                     # whether new tensors of this thread are on meta
