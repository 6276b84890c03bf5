"""Layers of recurrent networks as one operator.

The input's contribution to the gates is one product for all time steps, and so are the gradients of the weights.
Only the products with the state, and the gates themselves, are computed step by step (kernels/nn/recurrent.pyx).
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
    cdef Py_ssize_t* rows = NULL
    cdef void* p[8]
    cdef bint wide = input.dtype == Float64
    cdef TensorImpl h = _own(h0), c = None if c0 is None else _own(c0)
    cdef TensorImpl bias, gates, out, cells = None
    cdef int status
    w_hh = contiguous(w_hh)
    w_hr = None if w_hr is None else contiguous(w_hr)
    # a GRU's reset gate multiplies the contribution of the state including its bias
    bias = b_ih if b_ih is None or cell == GRU else add(b_ih, b_hh)
    b_hh = None if b_hh is None or cell != GRU else contiguous(b_hh)
    s.cell = cell
    s.batch = sizes(h)[0]
    s.output = sizes(h)[1]
    s.hidden = sizes(w_hh)[0] // gates_of(cell)
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
    gates = mm(_matrix(input), t(w_ih)) if bias is None else addmm(bias, _matrix(input), t(w_ih))
    if batch_sizes is not None:
        rows = <Py_ssize_t*>malloc(s.times * sizeof(Py_ssize_t))
        if rows == NULL:
            raise MemoryError()
        for k in range(s.times):
            rows[k] = batch_sizes[k]
    s.rows = rows
    for k, tensor in enumerate((gates, w_hh, b_hh, w_hr, h, c, out, cells)):
        p[k] = _data(tensor)
    try:
        with nogil:
            if wide:
                status = run_forwards(&s, <double*>p[0], <double*>p[1], <double*>p[2], <double*>p[3], <double*>p[4],
                                      <double*>p[5], <double*>p[6], <double*>p[7])
            else:
                status = run_forwards(&s, <float*>p[0], <float*>p[1], <float*>p[2], <float*>p[3], <float*>p[4],
                                      <float*>p[5], <float*>p[6], <float*>p[7])
    finally:
        free(rows)
    _check(status)
    return out, h, c, gates if keep else None, cells


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
    s.rows = NULL
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
