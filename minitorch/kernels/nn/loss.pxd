# The negative log likelihood of class targets, on contiguous arrays: log_probs (n, c, s), target (n, s) int64,
# weight (c,) or NULL; s is the product of the spatial sizes, or 1 if there are none. Targets equal to
# ignore_index are ignored. dtype is floating and applies to all arrays but target.
#
# Every function returns 0, 1 if it does not support the dtype, or 2 if a target is neither ignore_index nor a
# class; bad_target[0] is then that target.

from libc.stdint cimport int64_t

cdef enum Reduce:
    REDUCE_NONE = 0       # PyTorch's numbers
    REDUCE_MEAN = 1
    REDUCE_SUM = 2

# loss: (n, s) with REDUCE_NONE, else one element. total_weight: one element, the sum of the weights of the
# targets that are not ignored; 0 with REDUCE_NONE.
cdef int nll_loss_kernel(const char* log_probs, const char* target, const char* weight,
                         int reduction, int64_t ignore_index, char* loss, char* total_weight,
                         Py_ssize_t n, Py_ssize_t c, Py_ssize_t s, int dtype,
                         int64_t* bad_target) noexcept nogil

# grad_loss: shaped like loss. All of grad_input (n, c, s) is written.
cdef int nll_loss_backward_kernel(const char* grad_loss, const char* target, const char* weight,
                                  int reduction, int64_t ignore_index, const char* total_weight,
                                  char* grad_input, Py_ssize_t n, Py_ssize_t c, Py_ssize_t s,
                                  int dtype, int64_t* bad_target) noexcept nogil
