# Where a node was recorded: anomaly mode's tracebacks, `record_origin`'s lines.

from minitorch.autograd.node cimport Node

cdef bint anomaly_enabled
cdef bint check_nan

cdef int note_forward(Node node) except -1            # note in a new node where it is recorded
cdef int warn_of_error(Node node) except -1           # warn where a node that has failed was recorded
cdef str origin_of(Node node)                         # "file:line, in function: code", or None
