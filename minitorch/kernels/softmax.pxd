# softmax and log_softmax with their derivatives, along the middle of a contiguous layout
# (outer, n, inner) of a floating dtype; those of 16 bits compute in float32. Every function
# returns non-zero for another dtype or when scratch memory is short (those only). Results may
# be written over an input. n may be 0.

cdef int softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil
cdef int log_softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n,
                            Py_ssize_t inner, int dtype) noexcept nogil

# grad_input from the gradient of the output and the output itself
cdef int softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                 Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil
cdef int log_softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                     Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil
