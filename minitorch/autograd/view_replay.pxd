# Replays: the operators that made a view from its base, for views that cannot be made again from their strides.

from minitorch.autograd.operators cimport Operator
from minitorch.autograd.variable cimport TensorBase

cdef bint keeps_replay(tuple arguments) except -1        # whether a view of one of these may get a replay
cdef int keep_replay(Operator operator, object result, tuple arguments) except -1
cdef tuple replay_of(TensorBase view)                    # None: its strides are enough to make it again
cdef TensorBase replayed(tuple replay, TensorBase t)     # the view of `t` that the operators make
