# Hand-written nodes, and the recorded operators that modules of the engine need.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.special cimport SpecialGradient
from minitorch.core.tensor_impl cimport MAX_DIMS, TensorImpl

cdef class CopySlices(Node):
    cdef Node function                  # the in-place operator's own node, on the view; None once released
    cdef tuple base_strides             # the layout of the gradient of the base
    cdef tuple view_sizes               # the part of it that belongs to the view
    cdef tuple view_strides
    cdef tuple replay                   # the operators that make the view; None: its strides are enough
    cdef SpecialGradient counted        # set if there is a replay
    cdef TensorImpl replayed_base       # set if there is a replay: the base for its operators
    cdef bint real_view                   # a real view of a complex base
    cdef Py_ssize_t offset
    cdef Py_ssize_t[MAX_DIMS] sizes_buffer
    cdef Py_ssize_t[MAX_DIMS] strides_buffer

    cdef int apply_recorded(self, Gradients g, Gradients inner) except -1
    cdef int run_inside(self, Gradients inner) except -1
