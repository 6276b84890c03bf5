# Calling the hooks of a node and its tensors, at their places in `evaluate_function`.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase

cdef int call_tensor_pre_hooks(Node node, Gradients g) except -1     # tensor hooks, then retain_grad's
cdef int call_pre_hooks(Node node, Gradients g) except -1
cdef tuple grad_outputs_for_post_hooks(Node node, Gradients g)
cdef int call_post_hooks(Node node, Gradients g, tuple grad_outputs) except -1

# to whoever listens: `hook` is about to be called; `what` is a gradient, or a tuple of them
cdef int tell_hook(Node node, int output_nr, object what, str place, object hook) except -1

cdef int start_tensor_hooks(TensorBase t, hooks) except -1   # before t's first hook: tell its node
cdef int retain_grad(TensorBase t) except -1
