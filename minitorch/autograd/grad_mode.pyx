"""The grad mode of each thread, which `no_grad` and the engine switch, and which every recording wrapper reads.

Note [The mode that is shown]
A ``__torch_dispatch__`` runs without recording, because the operator that it handles is recorded already. The
program in it still sees the grad mode of its caller, and switches that one. So while it runs, there are two modes:
the one in force, which is off, and the one that is shown to the program.
"""

import threading

from minitorch.autograd.upward_calls cimport autograd_calls
from minitorch.core.context import contextmanager
from minitorch.core.decorator import DecoratorContextManager

cdef extern from *:
    """
    /* Every operator reads these. With this model they have a fixed offset in the thread's memory, and reading one
       needs no call. Only glibc reserves space for such variables of libraries that are loaded at run time; musl
       does not. */
    #if defined(__ELF__) && defined(__GLIBC__)
    #define FIXED __attribute__((tls_model("initial-exec")))
    #else
    #define FIXED
    #endif
    static _Thread_local int minitorch_grad_enabled FIXED = 1;
    static _Thread_local int minitorch_inference_enabled FIXED = 0;
    static _Thread_local int minitorch_layout_enforced = 1;
    static _Thread_local int minitorch_view_replay = 0;
    static _Thread_local int minitorch_shown = -1;      /* the mode that is shown; -1: the one in force */
    """
    int minitorch_grad_enabled
    int minitorch_inference_enabled
    int minitorch_layout_enforced
    int minitorch_view_replay
    int minitorch_shown

any_inference_mode = False


cdef bint grad_enabled() noexcept:
    return minitorch_grad_enabled and not minitorch_inference_enabled


cdef bint inference_enabled() noexcept:
    return minitorch_inference_enabled


cdef void set_grad_enabled(bint enabled) noexcept:
    global minitorch_grad_enabled
    minitorch_grad_enabled = enabled


cdef void _switch(bint enabled) noexcept:
    """Switch the mode that is shown to the program; the library itself uses `set_grad_enabled`."""
    global minitorch_grad_enabled, minitorch_shown
    if minitorch_shown < 0:
        minitorch_grad_enabled = enabled
    else:
        minitorch_shown = enabled


def _show_grad_mode(int mode):
    """Show `mode` to the program; -1 shows the mode in force. See Note [The mode that is shown].

    Returns the previous value.
    """
    global minitorch_shown
    cdef int before = minitorch_shown
    minitorch_shown = mode
    return before


def is_grad_enabled():
    """Return whether operators on this thread are recorded for a backward pass.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return bool(minitorch_grad_enabled if minitorch_shown < 0 else minitorch_shown)


cdef object _overridden = None           # returns whether a __torch_function__ mode has handled the call
cdef int _no_modes = 0
cdef int* _modes = &_no_modes            # the number of such modes; set by torch_function.pyx


# Slot: modes with `__torch_function__` see a change of the grad mode, which must cost no call while there is none
def _register_override(overridden, size_t modes):
    """Register ``overridden(function, mode)``, called while the integer at the address `modes` is not 0."""
    global _overridden, _modes
    _overridden, _modes = overridden, <int*>modes


cdef int _check_bool(str function, object enabled) except -1:
    if not isinstance(enabled, bool):
        raise TypeError(f"{function}(): argument 'enabled' (position 1) must be bool, not {type(enabled).__name__}")
    return 0


def _set_grad_enabled(mode):
    """Switch recording on this thread on or off; `minitorch.set_grad_enabled` is the public form."""
    _check_bool("set_grad_enabled", mode)
    if _modes[0] == 0 or not _overridden(_set_grad_enabled, mode):
        _switch(mode)


def _shows_another_mode():
    """Return whether the mode that is shown on this thread is not the one in force."""
    return minitorch_shown >= 0


@contextmanager
def _not_recording():
    """Record nothing in the block, and keep showing the previous mode to the program."""
    mode, shown = bool(minitorch_grad_enabled), _show_grad_mode(is_grad_enabled())
    set_grad_enabled(False)
    try:
        yield
    finally:
        set_grad_enabled(mode)
        _show_grad_mode(shown)


@contextmanager
def _recording_as_shown():
    """Put the mode that is shown to the program in force in the block."""
    mode, shown = bool(minitorch_grad_enabled), _show_grad_mode(-1)
    if shown >= 0:
        set_grad_enabled(shown)
    try:
        yield
    finally:
        set_grad_enabled(mode)
        _show_grad_mode(shown)


class no_grad(DecoratorContextManager):
    """Context manager and decorator that disables recording on the calling thread.

    Inside, the results of operators have ``requires_grad=False``.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __new__(cls, orig_func=None):
        self = super().__new__(cls)
        self.previous = False
        return self if orig_func is None else self(orig_func)

    def __init__(self):
        pass

    def __enter__(self):
        self.previous = is_grad_enabled()
        _set_grad_enabled(False)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad_enabled(self.previous)


class enable_grad(no_grad):
    """Context manager and decorator that enables recording, also inside `no_grad`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    def __enter__(self):
        self.previous = is_grad_enabled()
        _set_grad_enabled(True)


class set_grad_mode(DecoratorContextManager):
    """Function, context manager and decorator that enables or disables recording.

    As a function it switches the mode until the next change.

    Parameters
    ----------
    mode : bool
        True enables recording.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    def __init__(self, mode):
        self.previous = is_grad_enabled()
        self.mode = mode
        _set_grad_enabled(mode)

    def __call__(self, function):
        _set_grad_enabled(self.previous)
        return super().__call__(function)

    def __enter__(self):
        _set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad_enabled(self.previous)

    def __repr__(self):
        return f"{type(self).__module__}.{type(self).__qualname__}(mode={self.mode})"

    def clone(self):
        return self.__class__(self.mode)


class grad_mode_set_to:
    """Context manager that enables or disables recording in its block only.

    `set_grad_enabled` switches the mode as soon as it is called. If Ctrl-C arrives between the call and the start of
    the block, the mode is never switched back. This class switches it in ``__enter__``.
    """

    def __init__(self, mode):
        self.mode = bool(mode)

    def __enter__(self):
        self.previous = is_grad_enabled()
        _set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad_enabled(self.previous)


set_grad_mode.__name__ = set_grad_mode.__qualname__ = "set_grad_enabled"
globals()["set_grad_enabled"] = set_grad_mode


# ---- inference mode

def is_inference_mode_enabled():
    """Return whether inference mode is on, so that tensors made on this thread are inference tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled()
    True
    """
    return bool(minitorch_inference_enabled)


cdef void _set_inference(bint mode) noexcept:
    global minitorch_inference_enabled, any_inference_mode
    minitorch_inference_enabled = mode
    any_inference_mode = True


class inference_mode(DecoratorContextManager):
    """Context manager and decorator that disables recording and makes inference tensors.

    Operators on inference tensors are never recorded, also outside of the block. This is faster than `no_grad`,
    and stricter. Tangents are not computed either.

    Parameters
    ----------
    mode : bool, default True
        False switches inference mode off inside an outer block.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.inference_mode():
    ...     y = x * x
    >>> y.requires_grad, y.is_inference()
    (False, True)
    """

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        self.previous = (is_inference_mode_enabled(), is_grad_enabled(), autograd_calls.is_forward_mode_enabled(),
                         _thread_flags.multithreading)
        _set_inference(self.mode)
        _switch(not self.mode)
        autograd_calls.enable_forward_mode(not self.mode)
        _thread_flags.multithreading = not self.mode

    def __exit__(self, exc_type, exc_value, traceback):
        _set_inference(self.previous[0])
        _switch(self.previous[1])
        _thread_flags.multithreading = self.previous[3]
        autograd_calls.enable_forward_mode(self.previous[2])

    def clone(self):
        """Return a new context manager like this one."""
        return self.__class__(self.mode)


def _enter_inference_mode(mode):
    context = inference_mode(mode)
    context.__enter__()
    return context


def _exit_inference_mode(mode):
    mode.__exit__(None, None, None)


# ---- other switches

class set_multithreading_enabled(DecoratorContextManager):
    """Function, context manager and decorator that allows a backward pass to use several threads.

    minitorch never runs nodes on several threads at once. It keeps the flag for programs that set it.

    Parameters
    ----------
    mode : bool
    """

    def __init__(self, mode):
        self.prev = is_multithreading_enabled()
        _set_multithreading_enabled(mode)
        self.mode = mode

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        _set_multithreading_enabled(self.prev)

    def clone(self):
        """Return a new context manager like this one."""
        return self.__class__(self.mode)


class _force_original_view_tracking(DecoratorContextManager):
    """Function, context manager and decorator that makes views keep the operators that made them.

    Otherwise a view keeps only its strides. After a write to the base, the new history of a view consists of these
    operators instead of ``AsStridedBackward0``.

    Parameters
    ----------
    mode : bool
    """

    def __init__(self, mode):
        self.prev = is_view_replay_enabled()
        _set_view_replay_enabled(mode)
        self.mode = mode

    def __call__(self, func):
        _set_view_replay_enabled(self.prev)
        return super().__call__(func)

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        _set_view_replay_enabled(self.prev)

    def clone(self):
        """Return a new context manager like this one."""
        return self.__class__(self.mode)


class enforce_grad_layout_policy(DecoratorContextManager):
    """Function, context manager and decorator that gives ``.grad`` the layout of its leaf.

    While enabled, a gradient with other strides than its leaf is copied before it becomes ``.grad``. The setting
    belongs to the calling thread.

    Parameters
    ----------
    enable : bool, default True

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, 3).t().requires_grad_()
    >>> with torch.autograd.enforce_grad_layout_policy(False):
    ...     (x * 2).backward(torch.ones(3, 2))
    >>> x.grad.stride(), x.stride()
    ((2, 1), (1, 3))
    """

    def __init__(self, enable=True):
        self.prev = bool(minitorch_layout_enforced)
        _set_layout_enforced(enable)
        self.mode = enable

    def __call__(self, orig_func):
        _set_layout_enforced(self.prev)
        return super().__call__(orig_func)

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        _set_layout_enforced(self.prev)

    def clone(self):
        """Return a new context manager like this one."""
        return self.__class__(self.mode)


def _set_layout_enforced(enabled):
    global minitorch_layout_enforced
    _check_bool("set_grad_layout_enforcement_enabled", enabled)
    minitorch_layout_enforced = enabled


def _is_grad_layout_enforcement_enabled():
    return bool(minitorch_layout_enforced)


class _ThreadFlags(threading.local):
    multithreading = True


_thread_flags = _ThreadFlags()


def is_multithreading_enabled():
    """Return the flag that `set_multithreading_enabled` sets; True by default, False in inference mode."""
    return _thread_flags.multithreading


def _set_multithreading_enabled(mode):
    _check_bool("set_multithreading_enabled", mode)
    _thread_flags.multithreading = mode


def _set_view_replay_enabled(mode):
    global minitorch_view_replay
    _check_bool("set_view_replay_enabled", mode)
    autograd_calls.count_view_replay(mode - minitorch_view_replay)
    minitorch_view_replay = mode


def is_view_replay_enabled():
    """Return the flag that `_force_original_view_tracking` sets; False by default."""
    return minitorch_view_replay > 0


cdef bint view_replay_forced() noexcept:
    return minitorch_view_replay > 0
