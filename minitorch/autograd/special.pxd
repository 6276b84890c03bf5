# Counters of what is entered or alive somewhere, which show quickly that nothing special can happen, and functions
# for tensors of any kind. See Note [Special tensors] in core/special.pyx.

from minitorch.autograd.variable cimport TensorBase, tensor_class
from minitorch.core.tensor_impl cimport TensorImpl

cdef int interposers                     # how many transforms and modes are entered, in all threads
cdef int special_gradients               # how many instances of SpecialGradient exist
cdef bint any_level                      # forward mode is entered: backward runs on Tensors


cdef class SpecialGradient:
    """Marks its owner as a possible source of special gradients; instances are counted. Note [Who needs Tensors]."""


cdef inline bint is_tensor(object x) noexcept:
    # `isinstance` alone would look through the bases of `Tensor`
    return type(x) is tensor_class or isinstance(x, TensorBase)

cdef inline bint is_special(TensorBase t) noexcept:
    return t is not None and t.impl.special is not None

# The impl of a tensor with the elements as they are to be read, None for other objects: an ImplOf of sequence.pxd
cdef TensorImpl impl_of(object value)
cdef void count_interposers(int more) noexcept
cdef bint any_of_kind(tuple arguments, type kind) except -1
cdef bint needs_tensors(object tensors) except -1        # whether a backward from these must run on Tensors
# The value of a call, from the kinds of special tensors among its arguments; None: a kernel computes it
cdef object compute_by_kinds(object operator, tuple arguments)
