# The engine's steps and what they do, told as they happen to whoever listens.
#
# `tracing` is tested where something happens, and nothing else is done while nobody listens.

from minitorch.autograd.node cimport Node

cdef bint tracing                            # whether somebody listens

# a function of the engine is entered; `node`: None when it is about none in particular
cdef int trace(str function, Node node) except -1

# something happened to `node`; -1 and None where an argument does not apply. See _listen in events.pyx
cdef int happened(str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                  Py_ssize_t count, str detail) except -1

cdef bint showing_inputs                     # whether somebody is shown the inputs of nodes
cdef int show_inputs(Node node, list gradients) except -1

# shape and dtype of a TensorImpl or a Tensor, for `gradients`; None of None. Keeps no reference
cdef object described(object gradient)
