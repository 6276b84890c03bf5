# The engine's steps, told to a callback as they happen.
#
# `tracing` is tested where a step begins, and nothing else is done while nobody listens.

from minitorch.autograd.node cimport Node

cdef bint tracing                            # whether a callback is installed

# tell it; `node`: None when it is about none in particular
cdef int trace(str function, Node node) except -1
