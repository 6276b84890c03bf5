"""Recurrent layers computed by fused kernels, if no mode or transform has to see the operators that compose them.

Note [Fused recurrent layers]
nn/_recurrent.py composes every recurrent network of other operators; that is its definition, for all dtypes,
transforms, modes, tangents and second derivatives. :func:`layer` computes a layer by its kernel instead when
nothing is recorded. :func:`lstm_layer` does so with a history as well, since PyTorch records a layer of such an LSTM
as one node. Both return None where the composition has to be used.
"""

from minitorch.autograd.functions.gathered cimport Computed, computed_node, plain
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.node cimport Gradients, should_compute
from minitorch.autograd.python_dispatch cimport has_kernels
from minitorch.autograd.saved_tensor_hooks cimport default_hooks
from minitorch.autograd.special cimport any_level, interposers
from minitorch.autograd.variable cimport TensorBase, make_tensor, requires_grad
from minitorch.core.dtype cimport Float32, Float64
from minitorch.core.tensor_impl cimport TensorImpl, ndim, numel, sizes
from minitorch.kernels.nn.recurrent cimport GRU, LSTM, RELU, TANH, Cell, gates_of
from minitorch.ops.nn.recurrent cimport lstm_layer_backward, recurrent_layer

cdef dict _CELLS = {"lstm": LSTM, "gru": GRU, "tanh": TANH, "relu": RELU}


cdef inline TensorImpl _impl(object t):
    return None if t is None else (<TensorBase?>t).impl


cdef bint _has_sizes(TensorImpl t, Py_ssize_t rows, Py_ssize_t columns) noexcept:
    """Return whether the tensor has the shape (rows, columns), or (rows,) if `columns` is -1."""
    if columns < 0:
        return ndim(t) == 1 and sizes(t)[0] == rows
    return ndim(t) == 2 and sizes(t)[0] == rows and sizes(t)[1] == columns


cdef bint _fits(Cell cell, TensorImpl input, tuple batch_sizes, TensorImpl h, TensorImpl c, tuple weights) except -1:
    """Return True if the kernel can compute the layer; otherwise the composition computes it or raises."""
    cdef TensorImpl w_ih, w_hh, b_ih, b_hh, w_hr
    cdef Py_ssize_t features, gates, hidden, rows = 0, size, last
    w_ih, w_hh, b_ih, b_hh, w_hr = [_impl(w) for w in weights]
    if input.dtype != Float32 and input.dtype != Float64:
        return False
    for t in (h, c, w_ih, w_hh, b_ih, b_hh, w_hr):
        if t is not None and (<TensorImpl>t).dtype != input.dtype:
            return False
    if ndim(input) != (3 if batch_sizes is None else 2) or ndim(h) != 2 or ndim(w_hh) != 2 or not numel(input):
        return False
    features = sizes(input)[ndim(input) - 1]
    gates = sizes(w_hh)[0]
    hidden = gates // gates_of(cell)
    if not hidden or hidden * gates_of(cell) != gates or not _has_sizes(w_ih, gates, features):
        return False
    if (b_ih is None) != (b_hh is None) or b_ih is not None and not (
            _has_sizes(b_ih, gates, -1) and _has_sizes(b_hh, gates, -1)):
        return False
    if not _has_sizes(h, sizes(h)[0], sizes(w_hh)[1]) or (cell == LSTM) != (c is not None):
        return False
    if c is not None and not _has_sizes(c, sizes(h)[0], hidden):
        return False
    if not _has_sizes(w_hr, sizes(h)[1], hidden) if w_hr is not None else sizes(h)[1] != hidden:
        return False
    if batch_sizes is None:
        return sizes(input)[1] == sizes(h)[0]
    last = sizes(h)[0]
    if not batch_sizes or batch_sizes[0] != last:
        return False
    for size in batch_sizes:
        if size > last or size < 1:
            return False
        rows += size
        last = size
    return rows == sizes(input)[0]


def layer(str cell not None, TensorBase input not None, batch_sizes, TensorBase h not None, c,
          tuple weights not None, bint reverse):
    """Compute a layer without a history.

    Parameters
    ----------
    cell : str
        "lstm", "gru", "tanh" or "relu".
    input : Tensor
        Of shape (time, batch, features), or (rows, features) with `batch_sizes`.
    batch_sizes : tuple of int or None
    h, c : Tensor
        The states before, (batch, size); c is None but for an LSTM.
    weights : tuple
        w_ih, w_hh, b_ih, b_hh and w_hr, the last three or None.
    reverse : bool
        Whether to begin at the last time.

    Returns
    -------
    tuple of Tensor or None
        The outputs, and the states at the end; None where the composition is needed.
    """
    cdef tuple tensors = (input, h, c, *weights)
    if interposers or has_kernels() or not plain(tensors):
        return None
    if grad_enabled() and _is_recorded(tensors):
        return None
    if not _fits(_CELLS[cell], input.impl, batch_sizes, h.impl, _impl(c), weights):
        return None
    w_ih, w_hh, b_ih, b_hh, w_hr = [_impl(w) for w in weights]
    out, last_h, last_c, _, _ = recurrent_layer(_CELLS[cell], input.impl, batch_sizes, h.impl, _impl(c), w_ih, w_hh,
                                                b_ih, b_hh, w_hr, reverse, False)
    return make_tensor(out), make_tensor(last_h), None if c is None else make_tensor(last_c)


cdef bint _is_recorded(tuple tensors) except -1:
    for t in tensors:
        if t is not None and requires_grad(<TensorBase>t):
            return True
    return False


def lstm_layer(TensorBase input not None, TensorBase h not None, TensorBase c not None, tuple weights not None,
               bint reverse, composed, dict shown not None):
    """Compute a layer of an LSTM, recorded as one node with the name of PyTorch's.

    ``composed(input, w_ih, w_hh, b_ih, b_hh, h, c)`` is what second derivatives go through, and `shown` the node's
    further attributes. Returns as `layer`; None where the composition is needed or nothing is recorded.
    """
    cdef tuple tensors = (input, *weights[:4], h, c)
    if interposers or any_level or has_kernels() or not plain(tensors) or default_hooks() is not None:
        return None
    if not grad_enabled() or not _is_recorded(tensors):
        return None
    if not _fits(LSTM, input.impl, None, h.impl, c.impl, weights):
        return None
    w_ih, w_hh, b_ih, b_hh, _ = [_impl(w) for w in weights]
    out, last_h, last_c, gates, cells = recurrent_layer(LSTM, input.impl, None, h.impl, c.impl, w_ih, w_hh, b_ih,
                                                        b_hh, None, reverse, True)
    results = [make_tensor(out), make_tensor(last_h), make_tensor(last_c)]
    computed_node("MkldnnRnnLayerBackward0", _lstm_gradients, composed, tensors, results, (gates, cells, reverse),
                  dict(shown, input=input, weight0=weights[0], weight1=weights[1], weight2=weights[2],
                       weight3=weights[3], hx_=h, cx_=c, result0=results[0], result1=results[1],
                       result2=results[2]))
    return tuple(results)


def _lstm_gradients(Computed node, Gradients g, list inputs, list outputs):
    """Put the gradients of the inputs into `g`."""
    cdef unsigned int k, nr = 0
    cdef bint some = False
    cdef list wanted = []
    for k in range(7):
        wanted.append(should_compute(node.next_function(k, &nr), g))
        some = some or wanted[k]
    if not some or g.ins == [None, None, None]:
        return
    input, w_ih, w_hh, _, _, h, c = inputs
    gates, cells, reverse = node.workspace
    gradients = lstm_layer_backward(g.ins[0], g.ins[1], g.ins[2], input, h, c, w_ih, w_hh, outputs[0], gates, cells,
                                    reverse, wanted)
    for k in range(7):
        if gradients[k] is not None:
            g.set(k, gradients[k])
