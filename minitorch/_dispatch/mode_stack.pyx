"""The stack of the ``__torch_dispatch__`` modes that a thread has entered.

The stack is linked from the innermost mode outwards. Leaving a mode allocates nothing and runs no code of the
program, see Note [Atomic entering] in minitorch/core/context.pyx.
"""

import threading

from minitorch._dispatch.key_sets import DispatchKey
from minitorch.autograd.functions.overridable import watch_calls
from minitorch.autograd.python_dispatch import enter_mode, exit_mode, switch_dispatch

_OUTERMOST = ("fake", "proxy")   # kinds of modes outside those of programs, outermost first


cdef class _Entry:
    cdef object mode
    cdef _Entry further_out


class _Thread(threading.local):
    innermost = None


cdef object _thread = _Thread()


def _rank(mode):
    key = getattr(mode, "_mode_key", None)
    return _OUTERMOST.index(key) if key in _OUTERMOST else len(_OUTERMOST)


def stack():
    """Return the modes of this thread, the innermost last."""
    cdef _Entry entry = _thread.innermost
    cdef list modes = []
    while entry is not None:
        modes.append(entry.mode)
        entry = entry.further_out
    modes.reverse()
    return modes


def is_any_entered():
    """Return True if this thread has entered a mode."""
    return _thread.innermost is not None


cdef int _count(int more) except -1:
    if more > 0:
        enter_mode()
        watch_calls(1)
    else:
        exit_mode()
        watch_calls(-1)
    return 0


def push(mode):
    """Enter a mode as the innermost one, or outside the modes of programs if its kind is in `_OUTERMOST`."""
    cdef _Entry entry = _Entry()
    cdef _Entry further_in = None
    rank = _rank(mode)
    entry.mode = mode
    entry.further_out = _thread.innermost
    while entry.further_out is not None and _rank(entry.further_out.mode) > rank:
        further_in = entry.further_out
        entry.further_out = further_in.further_out
    if further_in is None:
        _thread.innermost = entry
    else:
        further_in.further_out = entry
    _count(1)


def pop():
    """Leave the innermost mode and return it."""
    cdef _Entry entry = _thread.innermost
    if entry is None:
        raise RuntimeError("trying to pop from empty mode stack")
    _thread.innermost = entry.further_out
    _count(-1)
    return entry.mode


def leave(mode):
    """Leave a mode, which need not be the innermost one."""
    cdef _Entry entry = _thread.innermost
    cdef _Entry further_in = None
    while entry is not None and entry.mode is not mode:
        further_in = entry
        entry = entry.further_out
    if entry is None:
        raise AssertionError("the mode is not entered")
    if further_in is None:
        _thread.innermost = entry.further_out
    else:
        further_in.further_out = entry.further_out
    _count(-1)


def push_mode_of_program(mode):
    """Enter the mode of a program.

    Raises
    ------
    AssertionError
        The mode has a dispatch key. Only PyTorch's own modes for tracing above autograd may have one.
    """
    key = getattr(mode, "_dispatch_key", None)
    if key is not None and key is not DispatchKey.PreDispatch:
        raise AssertionError("mode._dispatch_key must be None or DispatchKey.PreDispatch")
    if key is not None:
        raise AssertionError(
            "mode must be FunctionalTensorMode, ProxyTorchDispatchMode, or SchemaCheckMode, got "
            f"{type(mode)}")
    push(mode)


# ---- as ``__enter__`` and ``__exit__`` of modes

def enter_mode_of_program(self):
    """Enter the mode of a program and return it."""
    push_mode_of_program(self)
    return self


def exit(self, exc_type, exc_value, traceback):
    """Leave the innermost mode."""
    pop()


def exit_this(self, exc_type, exc_value, traceback):
    """Leave this mode, which need not be the innermost one."""
    leave(self)


def enter_once(self):
    """Enter a mode unless it is active; append to ``self._entered`` whether it was entered."""
    cdef _Entry entry = _thread.innermost
    while entry is not None and entry.mode is not self:
        entry = entry.further_out
    self._entered.append(entry is None)
    if entry is None:
        push(self)
    return self


def exit_once(self, exc_type, exc_value, traceback):
    """Leave a mode if the matching `enter_once` entered it."""
    if self._entered.pop():
        leave(self)


# ---- blocks

class popped:
    """Leave the innermost mode for a ``with`` block, which receives it."""

    def __enter__(self):
        self.entry = _thread.innermost
        return pop()

    def __exit__(self, exc_type, exc_value, traceback):
        (<_Entry?>self.entry).further_out = _thread.innermost
        _thread.innermost = self.entry
        _count(1)


class without:
    """Leave a mode, or none if it is None, for a ``with`` block, which receives it."""

    def __init__(self, mode):
        self.mode = mode
        self.has_left = False

    def __enter__(self):
        if self.mode is not None:
            leave(self.mode)
            self.has_left = True
        return self.mode

    def __exit__(self, exc_type, exc_value, traceback):
        if self.has_left:
            self.has_left = False
            push(self.mode)


class none_entered:
    """Leave all modes for a ``with`` block, which receives them, the innermost first."""

    def __enter__(self):
        modes = stack()
        modes.reverse()
        self.modes, self.innermost = modes, _thread.innermost
        _thread.innermost = None
        for _ in modes:
            _count(-1)
        return list(modes)

    def __exit__(self, exc_type, exc_value, traceback):
        _thread.innermost = self.innermost
        for _ in self.modes:
            _count(1)


class disabled:
    """Dispatch to no mode and no class in a ``with`` block."""

    def __enter__(self):
        switch_dispatch(True)

    def __exit__(self, exc_type, exc_value, traceback):
        switch_dispatch(False)
