# The steps of one layer of a recurrent network along its sequence, forwards and backwards.
#
# A step multiplies the state before it by the recurrent weights and applies the gates. What the input adds to the
# gates is computed for all times at once by the caller. float32 and float64; all memory is row-major without gaps.

ctypedef fused Real:
    float
    double

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
    Py_ssize_t output            # P, the columns of the state h: H without a projection
    const Py_ssize_t* rows       # at each time, never growing; NULL: `batch`
    bint reverse                 # from the last time to the first

# Gates of a cell: 4, 3, 1, 1
cdef int gates_of(Cell cell) noexcept nogil

# gates      (rows of all times, gates * H): what the input adds, biases included (but for `bias`). An LSTM leaves
#            the activated gates there.
# w_hh       (gates * H, P)
# bias       of a GRU, (3 * H): added to the product with the state; NULL: none
# w_hr       (P, H), the projection of an LSTM's output; NULL: none
# h, c       the states before, (batch, P) and (batch, H); afterwards those at the end of each row. c of an LSTM only
# out        (rows of all times, P): h after each step
# cells      (rows of all times, H): c after each step; NULL: not wanted
# Returns a BlasStatus. Over threads, which share the rows.
cdef int run_forwards(const Sequence* s, Real* gates, const Real* w_hh, const Real* bias, const Real* w_hr, Real* h,
                      Real* c, Real* out, Real* cells) noexcept nogil

# The gradients of an LSTM without a projection and with `rows` NULL.
# gates, cells   as run_forwards left them; c0 the state before
# grad_out       (times, batch, H), NULL: zeros
# dh, dc         the gradients of the last states; afterwards those of the first
# grad_gates     (times, batch, 4 * H): the gradients of the gates before their activation
cdef int run_lstm_backwards(const Sequence* s, const Real* gates, const Real* cells, const Real* c0,
                            const Real* w_hh, const Real* grad_out, Real* dh, Real* dc,
                            Real* grad_gates) noexcept nogil
