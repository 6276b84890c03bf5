# The steps of one layer of a recurrent network along its sequence, forward and backward.
#
# A step multiplies the input and the previous state by their weights and applies the gates. float32 and float64;
# all memory is row-major without gaps.

from minitorch.kernels.common.types cimport Real

cdef enum Cell:
    LSTM = 0
    GRU = 1
    TANH = 2
    RELU = 3

cdef struct Sequence:
    Cell cell
    Py_ssize_t times
    Py_ssize_t batch             # rows of the state
    Py_ssize_t hidden            # H, the columns of a gate
    Py_ssize_t output            # P, the columns of the state h; equals H without a projection
    Py_ssize_t features          # columns of the input
    const Py_ssize_t* first      # the first row of each time step; the last of times + 1 is the number of rows
    bint reverse                 # from the last time step to the first

# Number of gates of a cell: 4, 3, 1, 1
cdef int gates_of(Cell cell) noexcept nogil

# x          (rows of all times, features)
# w_ih       (gates * H, features)
# b_ih       (gates * H), added to the input's contribution; NULL: none
# w_hh       (gates * H, P)
# b_hh       of a GRU, (3 * H), added to the contribution of the state; NULL: none
# w_hr       (P, H), the projection of an LSTM's output; NULL: none
# h, c       the initial states, (batch, P) and (batch, H); replaced by the final state of each row. c: LSTM only
# out        (rows of all times, P): h after each step
# gates      (rows of all times, 4 * H): the activated gates of an LSTM; NULL: not stored
# cells      (rows of all times, H): c after each step; NULL like `gates`
# Returns a BlasStatus. The rows are split over threads.
cdef int run_forwards(const Sequence* s, const Real* x, const Real* w_ih, const Real* b_ih, const Real* w_hh,
                      const Real* b_hh, const Real* w_hr, Real* h, Real* c, Real* out, Real* gates,
                      Real* cells) noexcept nogil

# The gradients of an LSTM without a projection whose rows are `batch` at all times; `first` is not read.
# gates, cells   as run_forwards left them; c0 the initial state
# grad_out       (times, batch, H), NULL: zeros
# dh, dc         the gradients of the final states; replaced by those of the initial states
# grad_gates     (times, batch, 4 * H): the gradients of the gates before their activation
cdef int run_lstm_backwards(const Sequence* s, const Real* gates, const Real* cells, const Real* c0,
                            const Real* w_hh, const Real* grad_out, Real* dh, Real* dc,
                            Real* grad_gates) noexcept nogil
