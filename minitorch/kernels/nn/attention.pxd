# The softmax of attention. It works in place on the scores of several heads, a row-major float32 or float64 array
# (heads, rows, n).

# The mask that is added to the scores. Strides are in elements, and 0 along dimensions that share it.
cdef struct ScoreMask:
    char* data                   # in the dtype of the scores; NULL: no mask
    Py_ssize_t head_stride
    Py_ssize_t row_stride
    Py_ssize_t col_stride

cdef struct Scores:
    int dtype
    char* data
    Py_ssize_t heads
    Py_ssize_t rows
    Py_ssize_t n
    double scale                 # the scores are multiplied by this first
    bint causal                  # row i uses only its first i + 1 elements
    ScoreMask mask
    char* lse                    # per row: the logarithm of the sum of exponentials, or 0 if no element is left;
    Py_ssize_t lse_head_stride   # in the dtype of the scores, strides in elements
    Py_ssize_t lse_row_stride
    char* sums                   # per row: the sum of exponentials, or 1 if no element is left
    char* grad  # the gradient of the weights, row-major; it is overwritten by the gradient of the scores

# Replace the scores by the exponentials of their difference to the maximum of the row; fill in `sums` and `lse`
cdef void exponentials(Scores* s) noexcept nogil
# Recompute the weights from the scores and `lse`
cdef void weights_again(Scores* s) noexcept nogil
# grad = weights * (grad - sum of weights * grad) * scale
cdef void scores_gradient(Scores* s) noexcept nogil
