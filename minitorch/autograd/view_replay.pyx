"""How a view came about, where that is kept.

A view knows its base and has strides and an offset, and from these another look at the base can be made when
the base was written to: `AsStridedBackward0`. Three kinds of view keep the operators that made them instead, and
run these again: one of a class that has no elements of its own, where strides mean nothing to the class; one
that was made while `_force_original_view_tracking(True)` was in force; and one of complex numbers whose base is
real, and what looks at that one.

A replay is a tuple of steps ``(operator, arguments before the tensor, arguments after it)``. The step of a view
which was made of such a view outside of the mode has no operator: it is `as_strided`. An operator may be given
by its name.
"""

from minitorch.autograd.grad_mode cimport view_replay_forced
from minitorch.autograd.operators cimport receiver
from minitorch.autograd.python_dispatch cimport Dispatched
from minitorch.autograd.meta cimport has_no_data
from minitorch.autograd.special cimport any_of_kind, count_interposers

from minitorch.autograd.grad_mode import _register_view_replay
from minitorch.autograd.math_bits import steps_to
from minitorch.autograd.operators import operators


def _count(int more):
    """No view is made the short way while a thread forces replays."""
    count_interposers(more)


_register_view_replay(_count)


cdef bint keeps_replay(tuple arguments) except -1:
    return view_replay_forced() or any_of_kind(arguments, Dispatched)


cdef int keep_replay(Operator operator, object result, tuple arguments) except -1:
    cdef TensorBase view, base
    cdef Py_ssize_t k = receiver(operator)
    if not isinstance(result, TensorBase) or (<TensorBase>result)._view is None:
        return 0
    view, base = result, arguments[k]
    if not (view_replay_forced() or (isinstance(view.impl.special, Dispatched) and has_no_data(view))):
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
