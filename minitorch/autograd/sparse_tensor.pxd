# Sparse tensors, with layout ``sparse_coo``.

from minitorch.autograd.special cimport SpecialGradient
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport TensorImpl


cdef class Sparse(Special):
    """The `special` of a tensor with layout ``sparse_coo``. It is replaced and never changed."""
    cdef readonly TensorBase indices     # (sparse_dim, nnz), int64
    cdef readonly TensorBase values      # (nnz, *dense sizes), without history
    cdef readonly bint coalesced         # the columns of `indices` are distinct and in lexicographic order
    cdef SpecialGradient _counted


cdef inline bint is_sparse(TensorImpl t) noexcept:
    return isinstance(t.special, Sparse)
