"""`swap_tensors`: exchange the contents of two tensors."""

import copyreg
import weakref

from minitorch._tensor import Tensor
from minitorch.autograd.python_dispatch import dispatched, has_own_dispatch
from minitorch.autograd.swap_tensors import _live_sink, _swap_tensor_impl


def swap_tensors(t1, t2):
    """Exchange two tensors, so that references to one refer to the other.

    Data, class, attributes, gradients and hooks are exchanged. Graphs that lead to either tensor
    can no longer be differentiated.

    Parameters
    ----------
    t1, t2 : Tensor

    Raises
    ------
    RuntimeError
        If one of them has weak references, or their classes have different slots.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.ones(2), torch.zeros(1)
    >>> torch.utils.swap_tensors(a, b)
    >>> a, b
    (tensor([0.]), tensor([1., 1.]))
    """
    for t in (t1, t2):
        if not isinstance(t, Tensor):
            raise AttributeError(f"'{type(t).__name__}' object has no attribute '_use_count'")
    for t, name in ((t1, "t1"), (t2, "t2")):
        if weakref.getweakrefs(t) and not has_own_dispatch(t):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    if set(copyreg._slotnames(type(t1))) != set(copyreg._slotnames(type(t2))):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    if t1 is t2:
        return
    for t in (t1, t2):
        sink = _live_sink(t)
        if sink is not None:
            sink.register_prehook(_raise_poisoned)
    _swap_tensor_impl(t1, t2)
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    for name in copyreg._slotnames(type(t1)):
        _swap_slot(t1, t2, name)
    for t in (t1, t2):
        if has_own_dispatch(t):
            dispatched(t)


def _swap_slot(t1, t2, name):
    missing = object()
    first, second = getattr(t1, name, missing), getattr(t2, name, missing)
    for t, value in ((t1, second), (t2, first)):
        if value is not missing:
            setattr(t, name, value)
        elif hasattr(t, name):
            delattr(t, name)


def _raise_poisoned(grads):
    raise RuntimeError(
        "Trying to execute AccumulateGrad node that was poisoned by swap_tensors; this can happen when you try to run "
        "backward on a tensor that was swapped."
    )


__all__ = ["swap_tensors"]
