"""Replays: the operators that made a view, for views that keep them.

After a write to the base, a view needs a new history. Most views get it from their base, strides and offset:
`AsStridedBackward0`. Three kinds of view keep the operators that made them instead, and run these again:

- a view of a class that has no elements of its own, since strides mean nothing to such a class
- a view that was made under `_force_original_view_tracking(True)`
- a complex view of a real base, and views of it

A replay is a tuple of steps ``(operator, arguments before the tensor, arguments after it)``. The operator may be
given by its name. None stands for `as_strided`: the step of a view that was made from such a view outside of the mode.
"""

from minitorch.autograd.other_modes cimport view_replay_forced
from minitorch.autograd.operators cimport receiver
from minitorch.autograd.python_dispatch cimport Dispatched, dispatched_of
from minitorch.autograd.meta cimport has_no_data
from minitorch.autograd.special cimport any_of_kind, count_interposers, is_tensor

from minitorch.autograd.math_bits import steps_to
from minitorch.autograd.operators import operators


def _count_view_replay(int more):
    """Count `more` threads that force replays; while any does, all operators take the path where replays are kept."""
    count_interposers(more)


cdef bint keeps_replay(tuple arguments) except -1:
    return view_replay_forced() or any_of_kind(arguments, Dispatched)


cdef int keep_replay(Operator operator, object result, tuple arguments) except -1:
    cdef TensorBase view, base
    cdef Py_ssize_t k = receiver(operator)
    if not is_tensor(result) or (<TensorBase>result)._view is None:
        return 0
    view, base = result, arguments[k]
    if not (view_replay_forced() or (dispatched_of(view.impl) is not None and has_no_data(view))):
        return 0
    view._view.replay = (*steps_to(base), (operator, arguments[:k], arguments[k + 1:]))
    return 0


cdef tuple replay_of(TensorBase view):
    return None if view._view is None else view._view.replay


cdef TensorBase replayed(tuple replay, TensorBase t):
    for operator, before, after in replay:
        if operator is None or isinstance(operator, str):
            operator = operators[operator or "as_strided", ""]
        t = <TensorBase?>(<Operator>operator).function((*before, t, *after))
    return t
