"""The modes of a thread besides the grad mode: inference mode, and switches that few programs use.

As in PyTorch, programs find all of them in `minitorch.autograd.grad_mode`; the end of this file adds them to it.
"""

import threading

from minitorch.autograd.grad_mode cimport check_bool, inference_enabled, set_inference, switch_grad_mode
from minitorch.autograd.upward_calls cimport autograd_calls

from minitorch.autograd import grad_mode
from minitorch.autograd.grad_mode import _set_grad_enabled, is_grad_enabled
from minitorch.core.decorator import DecoratorContextManager

cdef extern from *:
    """
    static _Thread_local int minitorch_layout_enforced = 1;
    static _Thread_local int minitorch_view_replay = 0;
    """
    int minitorch_layout_enforced
    int minitorch_view_replay


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


def is_inference_mode_enabled():
    """Return whether inference mode is on, so that tensors made on this thread are inference tensors.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled()
    True
    """
    return bool(inference_enabled())


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
        set_inference(self.mode)
        switch_grad_mode(not self.mode)
        autograd_calls.enable_forward_mode(not self.mode)
        _thread_flags.multithreading = not self.mode

    def __exit__(self, exc_type, exc_value, traceback):
        set_inference(self.previous[0])
        switch_grad_mode(self.previous[1])
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
        The flag.

    Raises
    ------
    TypeError
        If `mode` is not a bool.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.set_multithreading_enabled(False):
    ...     torch.autograd.is_multithreading_enabled()
    False
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
    check_bool("set_grad_layout_enforcement_enabled", enabled)
    minitorch_layout_enforced = enabled


cdef bint layout_enforced() noexcept:
    return minitorch_layout_enforced


class _ThreadFlags(threading.local):
    multithreading = True


_thread_flags = _ThreadFlags()


def is_multithreading_enabled():
    """Return the flag that `set_multithreading_enabled` sets; True by default, False in inference mode.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.is_multithreading_enabled()
    True
    """
    return _thread_flags.multithreading


def _set_multithreading_enabled(mode):
    check_bool("set_multithreading_enabled", mode)
    _thread_flags.multithreading = mode


def _set_view_replay_enabled(mode):
    global minitorch_view_replay
    check_bool("set_view_replay_enabled", mode)
    autograd_calls.count_view_replay(mode - minitorch_view_replay)
    minitorch_view_replay = mode


def is_view_replay_enabled():
    """Return the flag that `_force_original_view_tracking` sets; False by default.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.is_view_replay_enabled()
    False
    """
    return minitorch_view_replay > 0


cdef bint view_replay_forced() noexcept:
    return minitorch_view_replay > 0


def _add_to_grad_mode(names):
    for name in names.split():
        value = globals()[name]
        value.__module__ = grad_mode.__name__
        setattr(grad_mode, name, value)


_add_to_grad_mode(
    "grad_mode_set_to is_inference_mode_enabled inference_mode _enter_inference_mode _exit_inference_mode "
    "set_multithreading_enabled _force_original_view_tracking enforce_grad_layout_policy "
    "is_multithreading_enabled _set_multithreading_enabled _set_view_replay_enabled is_view_replay_enabled")
