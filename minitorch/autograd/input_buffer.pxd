# Adding up the gradients that arrive at one node.

# old + new; in place if nothing else can observe it. The caller must have taken `old` out of the buffer, so that
# a reference count shows whether anything else holds it. Both are TensorImpls, or Tensors when recording.
cdef object accumulate_in_buffer(object old, object new, bint recording)
