# Calling the hooks of a node and of its output tensors; `evaluate_function` and `call_function` do.

from minitorch.autograd.node cimport Gradients, Node
from minitorch.autograd.variable cimport TensorBase

cdef int call_tensor_pre_hooks(Node node, Gradients g) except -1     # tensor hooks, then retain_grad's
cdef int call_pre_hooks(Node node, Gradients g) except -1
cdef tuple grad_outputs_for_post_hooks(Node node, Gradients g)
cdef int call_post_hooks(Node node, Gradients g, tuple grad_outputs) except -1

cdef int start_tensor_hooks(TensorBase t, hooks) except -1   # make `hooks` the hooks of `t`, and register them
cdef int retain_grad(TensorBase t) except -1                 # make the engine store the gradient of a non-leaf
