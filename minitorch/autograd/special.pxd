# What `TensorImpl.special` is where somebody else than a kernel computes for a tensor: Note [Interposition].

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special

cdef int interposers                     # transforms and modes that are entered, in all threads
cdef int special_gradients               # how many of SpecialGradient there are


cdef class SpecialGradient:
    """Held by whatever a gradient that is no ordinary tensor can come from: Note [Who needs Tensors]."""


cdef class Sparse(Special):
    """What a tensor of layout ``sparse_coo`` is; it is never changed, only exchanged for another."""
    cdef readonly TensorBase indices     # (sparse_dim, nnz), int64
    cdef readonly TensorBase values      # (nnz, *dense sizes), without a history
    cdef readonly bint coalesced         # the columns of `indices` are different and in lexicographic order
    cdef SpecialGradient _counted


cdef class ZeroTensor(Special):
    """What a tensor is that is known to be zeros. They stand in its memory: whoever reads that reads them."""


cdef inline bint is_special(TensorBase t) noexcept:
    return t is not None and t.impl.special is not None

cdef void count_interposers(int more) noexcept
cdef bint any_special(object tensors) except -1          # of a list, with None in it
cdef bint any_of_kind(tuple arguments, type kind) except -1
cdef bint needs_tensors(object tensors) except -1        # whether a backward from these must be of Tensors
