# Forward mode: the tangents of tensors.
#
# A dual tensor is an ordinary one whose `_tangent` is not None. Unless `bases_are_dual`, this test is all that
# forward mode costs for other tensors. See Note [Forward mode] in forward_grad.pyx.

from minitorch.autograd.node cimport Node
from minitorch.autograd.variable cimport Tangent, TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum:
    ALL_LEVELS = 1 << 30

cdef bint bases_are_dual                                  # a write has given a tangent, which views must look up
cdef bint follows(TensorBase t) except -1                 # give a view the tangent of its base; return whether it did

cdef int top_level_of(object tensors) except -2           # the innermost level of a visible tangent, or -1

# Hide the tangents of `level` and the levels further in from this thread; returns the argument for `show_levels`
cdef int hide_level(int level) noexcept
cdef void show_levels(int before) noexcept

cdef TensorBase tangent_of(TensorBase t, int level)       # None if it has none at this level
cdef TensorBase seen_tangent(TensorBase t, int level)     # as `tangent_of`, but `t` may be None
cdef list tangents_of(object tensors, int level)          # zeros for tensors without a tangent; None if none has one
cdef TensorBase tangent_or_zeros(TensorBase t, int level)
# Zeros like `t` if one of `tensors` requires grad at some level, so that a product with them is recorded; else None
cdef TensorBase zeros_if_recorded(TensorBase t, object tensors)
cdef TensorBase sum_of_tangents(TensorBase a, TensorBase b)

# `result` with its tangent at `level`; `sources` are tangents that it must not share memory with
cdef TensorBase with_tangent(TensorBase result, TensorBase tangent, int level, tuple sources)
cdef int put_tangent(TensorBase t, TensorBase tensor) except -1      # without a copy or a conversion
cdef int check_sizes_of_tangent(TensorBase tensor, TensorBase tangent) except -1   # RuntimeError
cdef int write_tangent(TensorBase t, TensorBase tangent, int level) except -1
cdef int write_tangent_like(TensorBase t, TensorBase other, int level) except -1

cdef Node node_of(object results)                         # the node that made them, or None
cdef int keep_tangents(Node node, object tensors) except -1          # keep the tangents of what `node` has saved

# J v of an operator without a forward formula, by two backward passes; `call(*arguments)` runs the operator again
cdef tuple by_two_backwards(object call, tuple arguments, dict tangents, tuple outputs)
