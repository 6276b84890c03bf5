# Forward mode: the tangents that tensors carry.
#
# A dual tensor is an ordinary one whose `_tangent` is not None; that is the only test an ordinary
# tensor pays for, unless `bases_are_dual`. See Note [Forward mode] in forward_grad.pyx.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport Tangent, TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    ALL_LEVELS = 1 << 30

cdef bint any_level                                       # forward mode is entered: backward runs on Tensors

cdef bint bases_are_dual                                  # a tangent has come by a write; views may have to follow
cdef bint follows(TensorBase t) except -1                 # gives a view the tangents of its base; are there some?

cdef int top_level_of(object tensors) except -2           # the innermost at which one has a seen tangent; -1

# From here on this thread sees no tangent of `level` and above; gives what to `show_levels` again
cdef int hide_level(int level) noexcept
cdef void show_levels(int before) noexcept

cdef TensorBase tangent_of(TensorBase t, int level)       # None: it has none at this level
cdef TensorBase seen_tangent(TensorBase t, int level)     # the same, None where t is None
cdef list tangents_of(object tensors, int level)          # a list's, zeros where there are none; None: nowhere
cdef TensorBase tangent_or_zeros(TensorBase t, int level)
# Where one of `tensors` has a history at some level, which a product with its tangent has too: zeros for t; else None
cdef TensorBase zeros_if_recorded(TensorBase t, object tensors)
cdef TensorBase sum_of_tangents(TensorBase a, TensorBase b)

# `result` with its tangent at `level`; `sources` are tangents that it must not share memory with
cdef TensorBase with_tangent(TensorBase result, TensorBase tangent, int level, tuple sources)
cdef int put_tangent(TensorBase t, TensorBase tensor) except -1      # as it is
cdef int check_sizes_of_tangent(TensorBase tensor, TensorBase tangent) except -1   # RuntimeError
cdef int write_tangent(TensorBase t, TensorBase tangent, int level) except -1
cdef int write_tangent_like(TensorBase t, TensorBase other, int level) except -1

cdef Node node_of(object results)                         # that they came from, None
cdef int keep_tangents(Node node, object tensors) except -1          # of what `node` has saved
# `saved`, unpacked, with its tangent; `original` is the impl that was saved, which a hook may have replaced
cdef int restore_tangents(Node node, TensorBase saved, TensorImpl original) except -1

# J v without a formula for it, by two backward passes; `call(*arguments)` runs the operator again
cdef tuple by_two_backwards(object call, tuple arguments, dict tangents, tuple outputs)
