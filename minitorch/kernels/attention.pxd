# The rows of attention: scores of some heads, row-major (heads, rows, n) float32 or float64, which are
# replaced by what the softmax makes of them.

# What is added to the scores; strides in elements, 0 where it is the same for all.
cdef struct ScoreMask:
    char* data                   # of the dtype of the scores; NULL: nothing
    Py_ssize_t head_stride
    Py_ssize_t row_stride
    Py_ssize_t col_stride

cdef struct Scores:
    int dtype
    char* data
    Py_ssize_t heads
    Py_ssize_t rows
    Py_ssize_t n
    double scale                 # what they are multiplied by first
    bint causal                  # row i has no more than i + 1 elements
    ScoreMask mask
    char* lse                    # of each row the logarithm of the sum of exponentials, or 0 where none is left;
    Py_ssize_t lse_head_stride   # of the dtype of the scores, strides in elements
    Py_ssize_t lse_row_stride
    char* sums                   # of each row the sum of exponentials, or 1 where none is left
    char* grad                   # the gradient of the weights, row-major, which becomes that of the scores

# The exponentials of the scores less the largest of the row, their sums, and what `lse` has
cdef void exponentials(Scores* s) noexcept nogil
# The weights again, from what `lse` has
cdef void weights_again(Scores* s) noexcept nogil
# grad = weights * (grad - sum of weights * grad) * scale
cdef void scores_gradient(Scores* s) noexcept nogil
