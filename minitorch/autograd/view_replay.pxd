# How a view came about: the operators that made it of its base, where its strides do not say it.

from minitorch.autograd.operators cimport Operator
from minitorch.autograd.variable cimport TensorBase

cdef bint keeps_replay(tuple arguments) except -1        # whether a view of one of these may have one
cdef int keep_replay(Operator operator, object result, tuple arguments) except -1
cdef tuple replay_of(TensorBase view)                    # None: it has none, and its strides say it all
cdef TensorBase replayed(tuple replay, TensorBase t)     # the view of `t` that the operators make
