# The classes of `TensorImpl.special`: tensors for which kernels alone cannot compute. See Note [Interposition].

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.special cimport Special

cdef int interposers                     # how many transforms and modes are entered, in all threads
cdef int special_gradients               # how many instances of SpecialGradient exist


cdef class SpecialGradient:
    """Marks its owner as a possible source of special gradients; instances are counted. Note [Who needs Tensors]."""


cdef class Sparse(Special):
    """The `special` of a tensor with layout ``sparse_coo``. It is replaced and never changed."""
    cdef readonly TensorBase indices     # (sparse_dim, nnz), int64
    cdef readonly TensorBase values      # (nnz, *dense sizes), without history
    cdef readonly bint coalesced         # the columns of `indices` are distinct and in lexicographic order
    cdef SpecialGradient _counted


cdef class ZeroTensor(Special):
    """The `special` of a tensor that is known to be zeros. Its memory has the zeros too, so it can be read."""


cdef inline bint is_special(TensorBase t) noexcept:
    return t is not None and t.impl.special is not None

cdef void count_interposers(int more) noexcept
cdef bint any_special(object tensors) except -1          # `tensors` may contain None
cdef bint any_of_kind(tuple arguments, type kind) except -1
cdef bint needs_tensors(object tensors) except -1        # whether a backward from these must run on Tensors
