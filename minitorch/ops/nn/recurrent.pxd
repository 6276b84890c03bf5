# One layer of a recurrent network in one direction, with all tensors float32 or all float64; the caller checks
# the shapes.

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.kernels.nn.recurrent cimport Cell

# (out, h, c, gates, cells): the state h after each step, the final states, and, with `keep`, the values that an
# LSTM's gradient needs; c is for LSTMs only. `input` is (times, batch, features), or with `batch_sizes` (rows,
# features). h0 is (batch, P), c0 (batch, H), w_ih (gates * H, features), w_hh (gates * H, P), w_hr None or (P,
# H).
cdef tuple recurrent_layer(Cell cell, TensorImpl input, tuple batch_sizes, TensorImpl h0, TensorImpl c0,
                           TensorImpl w_ih, TensorImpl w_hh, TensorImpl b_ih, TensorImpl b_hh, TensorImpl w_hr,
                           bint reverse, bint keep)

# The gradients of (input, w_ih, w_hh, b_ih, b_hh, h0, c0) where `wanted` is true, None elsewhere. The incoming
# gradients may be None.
cdef list lstm_layer_backward(TensorImpl grad_out, TensorImpl grad_h, TensorImpl grad_c, TensorImpl input,
                              TensorImpl h0, TensorImpl c0, TensorImpl w_ih, TensorImpl w_hh, TensorImpl out,
                              TensorImpl gates, TensorImpl cells, bint reverse, list wanted)
