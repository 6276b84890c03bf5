# The node of a user's `Function`, which is also the `ctx` of its forward and backward.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef enum OutputKind:
    NOT_A_TENSOR = 0
    NOT_DIFFERENTIABLE = 1
    DIFFERENTIABLE = 2


cdef class _FunctionBase(Node):
    # -- set by the user through ctx
    cdef public object to_save              # save_for_backward: a tuple of Tensors and None
    cdef public object saved_for_forward
    cdef public object non_differentiable
    cdef public object dirty_tensors
    cdef bint materializes                  # zeros for a gradient that did not arrive
    cdef public bint _materialize_non_diff_grads
    cdef bint is_pure_view                  # only stored, and checked when the outputs are processed
    cdef public object _compiled_autograd_backward_state
    # -- set by apply
    cdef public object needs_input_grad     # one bool for each argument
    cdef tuple is_variable_input            # one bool for each argument: whether it is a Tensor
    cdef list output_kinds                  # for each output, an OutputKind
    cdef bint _requires_grad
    cdef tuple inputs                       # the arguments, while the forward runs; else None
    cdef set stashed                        # names of attributes with tensors that the forward seems to have computed
    # -- saved tensors, by slot
    cdef list kept                          # the Tensor, or its TensorImpl if it is an output, or None
    cdef list kept_versions
    cdef bint clears_on_access              # saved_tensors can be read only once
    cdef bint was_accessed
    cdef list kept_edges                    # number of the input's edge, NO_EDGE or OUTPUT - n

    cdef int keep(self) except -1
    cdef int edge_of(self, Node function) except -10
    cdef tuple unpack_kept(self)
