"""Softmax, scan and loss kernels on NumPy arrays, for their tests."""

import numpy as np

from libc.stdint cimport int64_t

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.nn.loss cimport nll_loss_backward_kernel, nll_loss_kernel
from minitorch.kernels.nn.softmax cimport (
    log_softmax_backward_kernel, log_softmax_kernel, softmax_backward_kernel, softmax_kernel)
from minitorch.kernels.reduction.scan cimport (
    cummax_kernel, cummin_kernel, cumprod_kernel, cumsum_kernel, logcumsumexp_kernel)

cnp.import_array()


cdef _outer_n_inner(cnp.ndarray a, int axis):
    cdef Py_ssize_t outer = 1, inner = 1
    cdef int d
    for d in range(a.ndim):
        if d < axis:
            outer *= a.shape[d]
        elif d > axis:
            inner *= a.shape[d]
    return outer, a.shape[axis], inner


def softmax_array(str name, cnp.ndarray a, int axis, cnp.ndarray output=None, int repeat=1):
    """``softmax`` and ``log_softmax`` of ``a``; with their ``output``, the derivative for ``a``."""
    cdef cnp.ndarray x = np.ascontiguousarray(a)
    cdef cnp.ndarray y = x if output is None else np.ascontiguousarray(output)
    cdef cnp.ndarray out = np.full_like(x, 42)
    cdef int dtype = from_numpy_type(x.dtype.num), status = 0, _
    cdef Py_ssize_t outer, n, inner
    outer, n, inner = _outer_n_inner(x, axis)
    for _ in range(repeat):
        if output is None and name == "softmax":
            status = softmax_kernel(x.data, out.data, outer, n, inner, dtype)
        elif output is None and name == "log_softmax":
            status = log_softmax_kernel(x.data, out.data, outer, n, inner, dtype)
        elif name == "softmax":
            status = softmax_backward_kernel(x.data, y.data, out.data, outer, n, inner, dtype)
        elif name == "log_softmax":
            status = log_softmax_backward_kernel(x.data, y.data, out.data, outer, n, inner, dtype)
    if status:
        raise TypeError(f"{name} has no loop for this dtype")
    return out


def scan_array(str name, cnp.ndarray a, int axis, int repeat=1):
    """A running reduction of ``a``; ``cummax`` and ``cummin`` return values and indices."""
    cdef cnp.ndarray x = np.ascontiguousarray(a)
    cdef cnp.ndarray out = np.full_like(x, 42), indices = np.full(np.shape(x), 43, np.int64)
    cdef int dtype = from_numpy_type(x.dtype.num), status = 1, _
    cdef Py_ssize_t outer, n, inner
    outer, n, inner = _outer_n_inner(x, axis)
    for _ in range(repeat):
        if name == "cumsum":
            status = cumsum_kernel(x.data, out.data, outer, n, inner, dtype)
        elif name == "cumprod":
            status = cumprod_kernel(x.data, out.data, outer, n, inner, dtype)
        elif name == "cummax":
            status = cummax_kernel(x.data, out.data, indices.data, outer, n, inner, dtype)
        elif name == "cummin":
            status = cummin_kernel(x.data, out.data, indices.data, outer, n, inner, dtype)
        elif name == "logcumsumexp":
            status = logcumsumexp_kernel(x.data, out.data, outer, n, inner, dtype)
    if status:
        raise TypeError(f"{name} has no loop for this dtype")
    return (out, indices) if name in ("cummax", "cummin") else out


def nll_loss_array(cnp.ndarray log_probs, cnp.ndarray target, cnp.ndarray weight or None, int reduction,
                   int64_t ignore_index):
    """The loss and the total weight; log_probs (n, c, s), target (n, s)."""
    n, c, s = np.shape(log_probs)
    cdef cnp.ndarray loss = np.empty((n, s) if reduction == 0 else (), log_probs.dtype)
    cdef cnp.ndarray total_weight = np.empty((), log_probs.dtype)
    cdef int64_t bad = 0
    cdef int status = nll_loss_kernel(
        log_probs.data, target.data, NULL if weight is None else weight.data, reduction,
        ignore_index, loss.data, total_weight.data, n, c, s,
        from_numpy_type(log_probs.dtype.num), &bad)
    if status:
        raise IndexError(bad)
    return loss, total_weight


def nll_loss_backward_array(cnp.ndarray grad, tuple shape, cnp.ndarray target, cnp.ndarray weight or None,
                            int reduction, int64_t ignore_index, cnp.ndarray total_weight):
    """The gradient of log_probs of the given shape (n, c, s)."""
    cdef cnp.ndarray out = np.full(shape, 42, grad.dtype)
    cdef int64_t bad = 0
    cdef int status = nll_loss_backward_kernel(
        grad.data, target.data, NULL if weight is None else weight.data, reduction, ignore_index,
        total_weight.data, out.data, shape[0], shape[1], shape[2],
        from_numpy_type(grad.dtype.num), &bad)
    if status:
        raise IndexError(bad)
    return out
