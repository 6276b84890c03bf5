# One step of an optimizer over n elements, in one pass over parameter, gradient and state. All arrays are
# contiguous, of one dtype (Float32 or Float64), and do not overlap; n may be 0.

cdef struct SgdStep:
    double lr
    double momentum
    double kept                 # 1 - dampening: the share of the gradient in the velocity
    double weight_decay
    bint nesterov
    bint maximize
    bint first                  # the velocity starts as the gradient; its old value is not read

cdef struct AdamStep:
    double size                 # lr / (1 - beta1**step)
    double root                 # sqrt(1 - beta2**step)
    double weight1              # 1 - beta1
    double beta2
    double eps
    double weight_decay         # added to the gradient, times the parameter; 0 for none
    double keep                 # factor that the parameter is multiplied by first; 1 for none
    bint maximize

# velocity may be NULL when momentum is 0
cdef void sgd_step(char* p, const char* grad, char* velocity, Py_ssize_t n, int dtype,
                   const SgdStep* options) noexcept nogil
# largest: the maximum of the mean squares so far (amsgrad), NULL for none
cdef void adam_step(char* p, const char* grad, char* mean, char* square, char* largest,
                    Py_ssize_t n, int dtype, const AdamStep* options) noexcept nogil
