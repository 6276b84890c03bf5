# The steps of one layer of a recurrent network along its sequence, forward and backward.
#
# A step multiplies the previous state by the recurrent weights and applies the gates. The caller computes the
# input's contribution to the gates for all time steps at once. float32 and float64; all memory is row-major
# without gaps.

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
    const Py_ssize_t* rows       # number of rows at each time, never increasing; NULL: always `batch`
    bint reverse                 # from the last time step to the first

# Number of gates of a cell: 4, 3, 1, 1
cdef int gates_of(Cell cell) noexcept nogil

# gates      (rows of all times, gates * H): the input's contribution, with biases (except `bias`). An LSTM leaves
#            the activated gates there.
# w_hh       (gates * H, P)
# bias       of a GRU, (3 * H): added to the product with the state; NULL: none
# w_hr       (P, H), the projection of an LSTM's output; NULL: none
# h, c       the initial states, (batch, P) and (batch, H); replaced by the final state of each row. c: LSTM only
# out        (rows of all times, P): h after each step
# cells      (rows of all times, H): c after each step; NULL: not computed
# Returns a BlasStatus. The rows are split over threads.
cdef int run_forwards(const Sequence* s, Real* gates, const Real* w_hh, const Real* bias, const Real* w_hr, Real* h,
                      Real* c, Real* out, Real* cells) noexcept nogil

# The gradients of an LSTM without a projection and with `rows` == NULL.
# gates, cells   as run_forwards left them; c0 the initial state
# grad_out       (times, batch, H), NULL: zeros
# dh, dc         the gradients of the final states; replaced by those of the initial states
# grad_gates     (times, batch, 4 * H): the gradients of the gates before their activation
cdef int run_lstm_backwards(const Sequence* s, const Real* gates, const Real* cells, const Real* c0,
                            const Real* w_hh, const Real* grad_out, Real* dh, Real* dc,
                            Real* grad_gates) noexcept nogil
