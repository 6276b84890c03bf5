"""The thread's grad mode, which `no_grad` and the engine switch and every recording wrapper reads."""

from minitorch.core.decorator import DecoratorContextManager

cdef extern from *:
    """
    static _Thread_local int minitorch_grad_enabled = 1;
    """
    int minitorch_grad_enabled


cdef bint grad_enabled() noexcept:
    return minitorch_grad_enabled


cdef void set_grad_enabled(bint enabled) noexcept:
    global minitorch_grad_enabled
    minitorch_grad_enabled = enabled


def is_grad_enabled():
    """Whether operators on this thread record for a backward pass.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return bool(minitorch_grad_enabled)


def _set_grad_enabled(mode):
    """Switch recording on this thread; `minitorch.set_grad_enabled` is the public form."""
    if not isinstance(mode, bool):
        raise TypeError(
            "set_grad_enabled(): argument 'enabled' (position 1) must be bool, "
            f"not {type(mode).__name__}")
    set_grad_enabled(mode)


class no_grad(DecoratorContextManager):
    """Do not record: inside, results of operators have ``requires_grad=False``.

    A context manager and a decorator; it switches the mode of the calling thread only.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __new__(cls, function=None):
        self = super().__new__(cls)
        self.previous = False
        return self if function is None else self(function)

    def __init__(self, function=None):
        pass

    def __enter__(self):
        self.previous = is_grad_enabled()
        set_grad_enabled(False)

    def __exit__(self, *exception):
        set_grad_enabled(self.previous)


class enable_grad(no_grad):
    """Record, also inside `no_grad`. A context manager and a decorator.

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
        set_grad_enabled(True)


class set_grad_mode(DecoratorContextManager):
    """Record or do not, as `mode` says: from the call on, or inside a ``with`` block, or as a decorator.

    Parameters
    ----------
    mode : bool

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

    def __exit__(self, *exception):
        set_grad_enabled(self.previous)

    def __repr__(self):
        return f"{type(self).__module__}.{type(self).__qualname__}(mode={self.mode})"

    def clone(self):
        return self.__class__(self.mode)


set_grad_mode.__name__ = set_grad_mode.__qualname__ = "set_grad_enabled"
globals()["set_grad_enabled"] = set_grad_mode
