# The negative log likelihood of class targets, contiguous: log_probs (n, c, s), target (n, s)
# int64, weight (c,) or NULL; s is the product of the spatial sizes, 1 if there are none. Targets
# equal to ignore_index do not count. dtype is a floating one and that of all arrays
# but target.
#
# Every function returns 0, 1 when it has no loop for the dtype, or 2 when a target is neither
# ignore_index nor a class; that target is then in bad_target[0].

from libc.stdint cimport int64_t

cdef enum Reduce:
    REDUCE_NONE = 0       # PyTorch's numbers
    REDUCE_MEAN = 1
    REDUCE_SUM = 2

# loss: (n, s) with REDUCE_NONE, else one element. total_weight: one element, the sum of the
# weights of the targets that count; 0 with REDUCE_NONE.
cdef int nll_loss_kernel(const char* log_probs, const char* target, const char* weight,
                         int reduction, int64_t ignore_index, char* loss, char* total_weight,
                         Py_ssize_t n, Py_ssize_t c, Py_ssize_t s, int dtype,
                         int64_t* bad_target) noexcept nogil

# grad_loss: shaped like loss. All of grad_input (n, c, s) is written.
cdef int nll_loss_backward_kernel(const char* grad_loss, const char* target, const char* weight,
                                  int reduction, int64_t ignore_index, const char* total_weight,
                                  char* grad_input, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                  int dtype, int64_t* bad_target) noexcept nogil
