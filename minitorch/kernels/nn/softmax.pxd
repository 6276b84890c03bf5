# softmax and log_softmax with their derivatives, along the middle of a contiguous layout (outer, n, inner) of a
# floating dtype; 16-bit dtypes compute in float32. Every function returns non-zero for another dtype or if
# scratch memory is short (16-bit dtypes only). Results may overwrite an input. n may be 0.

cdef int softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil
cdef int log_softmax_kernel(char* input, char* out, Py_ssize_t outer, Py_ssize_t n,
                            Py_ssize_t inner, int dtype) noexcept nogil

# computes grad_input from the gradient of the output and the output
cdef int softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                 Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil
cdef int log_softmax_backward_kernel(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                                     Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil
