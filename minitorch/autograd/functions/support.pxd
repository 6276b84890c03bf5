# Small things that generated code calls.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl, alias

cdef list impls(object tensors)                       # the TensorImpls of a list of Tensors or None

# An alias of an operand that is also `out`, so that the operand keeps its size if `out` is resized
cdef inline TensorImpl beside(TensorImpl self, TensorImpl out):
    return alias(self) if self is out else self

cdef list all_beside(list tensors, TensorImpl out)    # `beside` for each tensor of a list
cdef list save_list(Node node, object tensors)        # the pairs (impl, version) that a node saves for a list
cdef list saved_impls(Node node, object saved)        # the impls of a saved list; raises if freed or written to
cdef object saved_list(Node node, object saved)       # the Tensors of a saved list
cdef int set_list_edges(Node node, object tensors) except -1     # one edge for each tensor of a list
cdef int set_more_edge(Node node, unsigned int k, TensorBase t) except -1
cdef bint has_edge(Node node, unsigned int k) except -1
cdef bint should_compute_more(Node node, unsigned int k, Gradients g) except -1
cdef bint no_gradient_arrived(Gradients g) except -1  # for a node with several outputs
cdef bint any_requires_grad(object tensors) except -1

cdef inline TensorImpl impl_or_none(TensorBase t):
    return None if t is None else t.impl

cdef bint stop_recording() noexcept                   # gives what `resume_recording` takes
cdef void resume_recording(bint before) noexcept
