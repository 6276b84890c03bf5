# Adding up the gradients that meet in one node.

# old + new, in place where nobody can see it. `old` is taken from the buffer (the caller holds the
# only other reference); both are TensorImpls, or Tensors when recording.
cdef object accumulate_in_buffer(object old, object new, bint recording)
