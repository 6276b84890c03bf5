# Events of the engine, reported to a callback as they happen.
#
# Code that reports an event tests `tracing` first, so that events cost nothing else while no callback is installed.

from minitorch.autograd.node cimport Node

cdef bint tracing                            # whether a callback is installed

# report that a function of the engine is entered; `node` is None if the function is not about one node
cdef int trace(str function, Node node) except -1

# report what happened to `node`; an argument that does not apply is -1 or None. See _listen in events.pyx
cdef int happened(str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                  Py_ssize_t count, str detail) except -1

cdef bint showing_inputs                     # whether a viewer of the nodes' inputs is installed
cdef int show_inputs(Node node, list gradients) except -1

# (shape, dtype) of a TensorImpl or a Tensor, for `gradients`; None for None. Keeps no reference
cdef object described(object gradient)
