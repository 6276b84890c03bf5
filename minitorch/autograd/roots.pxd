# Where a backward pass starts and where it ends.

from minitorch.autograd.node cimport Node


# `roots` of (node, output number, gradient), `ends` of (node, output number, tensor)
cdef tuple unpack_arguments(tensors, grad_tensors, inputs, bint accumulate_grad)
# the gradient with the shape and dtype of the root's output; errors name the root by its index `k`
cdef object root_gradient(Node function, unsigned int nr, object gradient, bint recording,
                          Py_ssize_t k)
# whether the backward must run on Tensors: Note [Who needs Tensors]
cdef bint leads_to_special(list roots) except -1
