# Nodes that need code, and the recorded operators the engine's own modules ask for.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.special cimport SpecialGradient
from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl

cdef class CopySlices(Node):
    cdef Node function                  # the in-place operator's own node, on the view; None: released
    cdef tuple base_strides             # how a gradient of the base is laid out
    cdef tuple view_sizes               # which part of it is the view
    cdef tuple view_strides
    cdef tuple replay                   # the operators that make the view, where strides do not say; None: as_strided
    cdef SpecialGradient counted        # where there is a replay
    cdef TensorImpl replayed_base       # the same: what the operators look at
    cdef bint real_view                   # of the real numbers of a complex base
    cdef Py_ssize_t offset
    cdef Py_ssize_t[MAX_DIMS] sizes_buffer
    cdef Py_ssize_t[MAX_DIMS] strides_buffer

    cdef int apply_recorded(self, Gradients g, Gradients inner) except -1
    cdef int run_inside(self, Gradients inner) except -1
