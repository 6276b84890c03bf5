"""Layers of recurrent networks as one operator.

A layer is computed step by step (kernels/nn/recurrent.pyx), and so are the gradients of its gates. Those of the
input and of the weights are one product each for all time steps.
"""

from libc.stdlib cimport free, malloc

from minitorch.core.dtype cimport Float64
from minitorch.core.tensor_impl cimport TensorImpl, data, empty, empty_like, ndim, sizes
from minitorch.kernels.linalg.matrix cimport BLAS_OK
from minitorch.kernels.nn.recurrent cimport GRU, LSTM, Cell, Sequence, gates_of, run_forwards, run_lstm_backwards
from minitorch.ops.common.copy cimport clone, contiguous, zero_
from minitorch.ops.elementwise.binary cimport add
from minitorch.ops.linalg.linear cimport addmm, mm
from minitorch.ops.reduction.reduction cimport sum as sum_of
from minitorch.ops.shape.slices cimport narrow
from minitorch.ops.shape.transposes cimport t
from minitorch.ops.shape.views cimport reshape


cdef inline void* _data(TensorImpl tensor) noexcept:
    return NULL if tensor is None else <void*>data(tensor)


cdef TensorImpl _matrix(TensorImpl tensor):
    """Merge all dimensions but the last."""
    return reshape(tensor, (-1, sizes(tensor)[ndim(tensor) - 1]))


cdef TensorImpl _own(TensorImpl tensor):
    """Return a row-major copy."""
    cdef TensorImpl dense = contiguous(tensor)
    return clone(dense) if dense is tensor else dense


cdef int _check(int status) except -1:
    if status != BLAS_OK:
        raise MemoryError("no scratch memory for a recurrent layer")
    return 0


cdef tuple recurrent_layer(Cell cell, TensorImpl input, tuple batch_sizes, TensorImpl h0, TensorImpl c0,
                           TensorImpl w_ih, TensorImpl w_hh, TensorImpl b_ih, TensorImpl b_hh, TensorImpl w_hr,
                           bint reverse, bint keep):
    cdef Sequence s
    cdef Py_ssize_t k
    cdef Py_ssize_t[3] shape
    cdef Py_ssize_t* first
    cdef void* p[11]
    cdef bint wide = input.dtype == Float64
    cdef TensorImpl h = _own(h0), c = None if c0 is None else _own(c0)
    cdef TensorImpl out, gates = None, cells = None
    cdef int status
    input, w_ih, w_hh = contiguous(input), contiguous(w_ih), contiguous(w_hh)
    w_hr = None if w_hr is None else contiguous(w_hr)
    if b_ih is not None:
        # a GRU's reset gate multiplies the contribution of the state including its bias
        b_ih = contiguous(b_ih) if cell == GRU else add(b_ih, b_hh)
        b_hh = contiguous(b_hh) if cell == GRU else None
    s.cell = cell
    s.batch = sizes(h)[0]
    s.output = sizes(h)[1]
    s.hidden = sizes(w_hh)[0] // gates_of(cell)
    s.features = sizes(w_ih)[1]
    s.reverse = reverse
    s.times = sizes(input)[0] if batch_sizes is None else len(batch_sizes)
    shape[0] = s.times
    shape[1] = s.batch
    if batch_sizes is not None:
        shape[0] = sizes(input)[0]
    k = 1 if batch_sizes is not None else 2
    shape[k] = s.output
    out = empty(k + 1, shape, input.dtype)
    if keep:
        shape[k] = s.hidden
        cells = empty(k + 1, shape, input.dtype)
        shape[k] = gates_of(cell) * s.hidden
        gates = _matrix(empty(k + 1, shape, input.dtype))
    for k, tensor in enumerate((input, w_ih, b_ih, w_hh, b_hh, w_hr, h, c, out, gates, cells)):
        p[k] = _data(tensor)
    s.first = first = <Py_ssize_t*>malloc((s.times + 1) * sizeof(Py_ssize_t))
    if first == NULL:
        raise MemoryError()
    first[0] = 0
    try:
        for k in range(s.times):
            first[k + 1] = first[k] + (s.batch if batch_sizes is None else batch_sizes[k])
        with nogil:
            if wide:
                status = run_forwards(&s, <double*>p[0], <double*>p[1], <double*>p[2], <double*>p[3], <double*>p[4],
                                      <double*>p[5], <double*>p[6], <double*>p[7], <double*>p[8], <double*>p[9],
                                      <double*>p[10])
            else:
                status = run_forwards(&s, <float*>p[0], <float*>p[1], <float*>p[2], <float*>p[3], <float*>p[4],
                                      <float*>p[5], <float*>p[6], <float*>p[7], <float*>p[8], <float*>p[9],
                                      <float*>p[10])
    finally:
        free(first)
    _check(status)
    return out, h, c, gates, cells


cdef list lstm_layer_backward(TensorImpl grad_out, TensorImpl grad_h, TensorImpl grad_c, TensorImpl input,
                              TensorImpl h0, TensorImpl c0, TensorImpl w_ih, TensorImpl w_hh, TensorImpl out,
                              TensorImpl gates, TensorImpl cells, bint reverse, list wanted):
    cdef Sequence s
    cdef Py_ssize_t k
    cdef void* p[8]
    cdef bint wide = gates.dtype == Float64
    cdef int status
    cdef TensorImpl dh = zero_(empty_like(c0, c0.dtype)) if grad_h is None else grad_h
    cdef TensorImpl dc = zero_(empty_like(c0, c0.dtype)) if grad_c is None else grad_c
    cdef TensorImpl grad_gates = empty_like(gates, gates.dtype)
    cdef TensorImpl bias = None, recur = None
    dh, dc, c0, w_hh = _own(dh), _own(dc), contiguous(c0), contiguous(w_hh)
    grad_out = None if grad_out is None else contiguous(grad_out)
    s.cell = LSTM
    s.times = sizes(input)[0]
    s.batch, s.hidden = sizes(c0)[0], sizes(c0)[1]
    s.output = s.hidden
    s.reverse = reverse
    for k, tensor in enumerate((gates, cells, c0, w_hh, grad_out, dh, dc, grad_gates)):
        p[k] = _data(tensor)
    with nogil:
        if wide:
            status = run_lstm_backwards(&s, <double*>p[0], <double*>p[1], <double*>p[2], <double*>p[3],
                                        <double*>p[4], <double*>p[5], <double*>p[6], <double*>p[7])
        else:
            status = run_lstm_backwards(&s, <float*>p[0], <float*>p[1], <float*>p[2], <float*>p[3], <float*>p[4],
                                        <float*>p[5], <float*>p[6], <float*>p[7])
    _check(status)
    if wanted[2]:
        # each step but the first used the output of the step before it
        recur = mm(t(narrow(grad_gates, 0, (s.times - 1) * s.batch if reverse else 0, s.batch)), h0)
        if s.times > 1:
            recur = addmm(
                recur, t(narrow(grad_gates, 0, 0 if reverse else s.batch, (s.times - 1) * s.batch)),
                _matrix(narrow(out, 0, 1 if reverse else 0, s.times - 1)), 1, 1, recur)
    if wanted[3] or wanted[4]:
        bias = sum_of(grad_gates, (0,))
    return [
        reshape(mm(grad_gates, w_ih), (s.times, s.batch, sizes(w_ih)[1])) if wanted[0] else None,
        mm(t(grad_gates), _matrix(input)) if wanted[1] else None,
        recur,
        bias if wanted[3] else None,
        clone(bias) if wanted[3] and wanted[4] else bias if wanted[4] else None,
        dh if wanted[5] else None,
        dc if wanted[6] else None,
    ]
