# Tensors without elements: those on the device "meta", and the memory that nothing is read from.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Meta(Special):
    """What a tensor on the device ``meta`` is: a shape, strides and a dtype."""


cdef class NoData:
    """Owns the memory behind tensors without elements: as many bytes as they would have, all zero."""
    cdef char* memory
    cdef Py_ssize_t nbytes
    cdef bint mapped

cdef bint is_meta(TensorBase t)                          # or stands for such a tensor in a level
cdef bint has_no_data(TensorBase t) noexcept             # whether its storage is a NoData
# Sizes and strides in elements, strides NULL: row-major
cdef TensorImpl without_elements(int dims, const Py_ssize_t* n, const Py_ssize_t* s, Py_ssize_t storage_offset,
                                 int dtype, Py_ssize_t storage_size=*)
cdef TensorImpl meta_like(TensorImpl like)               # of its shape, strides and dtype
cdef TensorImpl recognised(TensorImpl view)              # of a storage; it is a meta tensor if that has no data
cdef int become_meta(TensorBase t, TensorImpl like) except -1    # a tensor just made
cdef bint default_is_meta() noexcept                     # whether this thread makes its tensors there
