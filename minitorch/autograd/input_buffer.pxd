# Adding up the gradients that arrive at one node.

from minitorch.autograd.variable cimport TensorBase

# old + new; in place if nothing else can observe it. The caller must have taken `old` out of the buffer, so that
# a reference count shows whether anything else holds it. Both are TensorImpls, or Tensors when recording.
cdef object accumulate_in_buffer(object old, object new, bint recording)

# The sum by an operator, which is recorded in grad mode
cdef TensorBase add_tensors(TensorBase old, TensorBase new)
