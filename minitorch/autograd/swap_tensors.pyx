"""Exchanging two tensors, for ``torch.utils.swap_tensors``."""

from cpython.object cimport PyObject

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.variable cimport TensorBase, set_impl
from minitorch.core.tensor_impl cimport TensorImpl


def _live_sink(TensorBase t):
    """Return the sink of a leaf if it is alive, else None."""
    if t.grad_accumulator != NULL and (<PyObject*>t.grad_accumulator).ob_refcnt > 0:
        return <object>t.grad_accumulator
    return None


def _swap_tensor_impl(TensorBase a, TensorBase b):
    """Exchange the data, the history, the gradients, the hooks and the sinks of two tensors."""
    cdef object first = _live_sink(a), second = _live_sink(b)
    cdef TensorImpl impl = a.impl
    set_impl(a, b.impl)
    set_impl(b, impl)
    set_impl(a, a.impl)                 # again, since `b` is no longer the handle of this impl
    a._grad_fn, b._grad_fn = b._grad_fn, a._grad_fn
    a._output_nr, b._output_nr = b._output_nr, a._output_nr
    a._requires_grad, b._requires_grad = b._requires_grad, a._requires_grad
    a._retains_grad, b._retains_grad = b._retains_grad, a._retains_grad
    a._grad, b._grad = b._grad, a._grad
    a._view, b._view = b._view, a._view
    a._tangent, b._tangent = b._tangent, a._tangent
    a._hooks, b._hooks = b._hooks, a._hooks
    a._post_accumulate_hooks, b._post_accumulate_hooks = b._post_accumulate_hooks, a._post_accumulate_hooks
    a._name, b._name = b._name, a._name
    a.grad_accumulator = <PyObject*>second if second is not None else NULL
    b.grad_accumulator = <PyObject*>first if first is not None else NULL
    # a sink may hold the last reference to its leaf, but here the caller holds both tensors
    if first is not None:
        (<AccumulateGrad>first).variable = b
    if second is not None:
        (<AccumulateGrad>second).variable = a
