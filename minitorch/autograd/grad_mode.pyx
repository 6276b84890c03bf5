"""The grad mode of each thread, which `no_grad` and the engine switch, and which every recording wrapper reads.

Note [The mode that is shown]
A ``__torch_dispatch__`` runs without recording, because the operator that it handles is recorded already. The
program in it still sees the grad mode of its caller, and switches that one. So while it runs, there are two modes:
the one in force, which is off, and the one that is shown to the program.
"""

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
    static _Thread_local int minitorch_shown = -1;      /* the mode that is shown; -1: the one in force */
    """
    int minitorch_grad_enabled
    int minitorch_inference_enabled
    int minitorch_shown

any_inference_mode = False


cdef bint grad_enabled() noexcept:
    return minitorch_grad_enabled and not minitorch_inference_enabled


cdef bint inference_enabled() noexcept:
    return minitorch_inference_enabled


cdef void set_inference(bint mode) noexcept:
    global minitorch_inference_enabled, any_inference_mode
    minitorch_inference_enabled = mode
    any_inference_mode = True


cdef void set_grad_enabled(bint enabled) noexcept:
    global minitorch_grad_enabled
    minitorch_grad_enabled = enabled


cdef void switch_grad_mode(bint enabled) noexcept:
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

    Returns
    -------
    bool

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


cdef int check_bool(str function, object enabled) except -1:
    if not isinstance(enabled, bool):
        raise TypeError(f"{function}(): argument 'enabled' (position 1) must be bool, not {type(enabled).__name__}")
    return 0


def _set_grad_enabled(mode):
    """Switch recording on this thread on or off; `minitorch.set_grad_enabled` is the public form."""
    check_bool("set_grad_enabled", mode)
    if _modes[0] == 0 or not _overridden(_set_grad_enabled, mode):
        switch_grad_mode(mode)


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

    Parameters
    ----------
    orig_func : callable, optional
        A function to decorate.

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

    Inside, an operator's result has ``requires_grad=True`` if one of its operands has.

    Parameters
    ----------
    orig_func : callable, optional
        A function to decorate.

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


set_grad_mode.__name__ = set_grad_mode.__qualname__ = "set_grad_enabled"
# the public name; in this file, the cdef function above has it
globals()["set_grad_enabled"] = set_grad_mode
