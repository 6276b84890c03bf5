"""The hooks on saved tensors that a thread has entered, and the contexts that enter them.

saved_tensor.pyx calls the innermost pair of hooks when a node saves a tensor, and when the tensor is needed.
"""

import threading

from minitorch.autograd.node cimport add_recording_modes

# .hooks: a list of pairs (pack, unpack), replaced at each change; .disabled: the text of the error
_thread = threading.local()
cdef int _pushed = 0                        # the number of such pairs in all threads


cdef tuple default_hooks():
    stack = getattr(_thread, "hooks", None)
    return stack[len(stack) - 1] if stack else None


def _push_saved_tensors_default_hooks(pack_hook, unpack_hook):
    if not (callable(pack_hook) and callable(unpack_hook)):
        raise TypeError(wrong_arguments("_push_saved_tensors_default_hooks", "arg0", "arg1",
                                        (pack_hook, unpack_hook)))
    message = getattr(_thread, "disabled", None)
    if message is not None:
        raise RuntimeError(message)
    _thread.hooks = [*(getattr(_thread, "hooks", None) or ()), (pack_hook, unpack_hook)]
    _changed_by(1)


def _pop_saved_tensors_default_hooks():
    if not default_hooks():
        raise RuntimeError("no hooks on saved tensors to take away")
    hooks = _thread.hooks
    _thread.hooks = hooks[:len(hooks) - 1]
    _changed_by(-1)


class entered_hooks:
    """Context manager in which saved tensors are packed and unpacked by two hooks.

    A subclass has the hooks as its attributes `pack_hook` and `unpack_hook`. Lists of hooks are replaced and
    never changed, so the previous list can be restored when the block is left.
    """

    _outer = None                           # (hooks outside of the block, `_outer` of an earlier entering)

    def __enter__(self):
        self._outer = getattr(_thread, "hooks", None), self._outer
        _push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, exc_type, exc_value, traceback):
        outer, self._outer = self._outer
        restore_hooks(outer)


cdef int _changed_by(int change) except -1:
    global _pushed
    _pushed += change
    return add_recording_modes(change)


cdef list hooks_of_thread():
    return getattr(_thread, "hooks", None) if _pushed else None


cdef int restore_hooks(list hooks) except -1:
    if _pushed == 0 and hooks is None:
        return 0
    now = getattr(_thread, "hooks", None)
    if now is None:
        return 0
    if now is not hooks:
        _changed_by((0 if hooks is None else <int>len(hooks)) - <int>len(<list>now))
        _thread.hooks = hooks
    return 0


def _without_hooks(function, *args):
    """Call ``function(*args)`` without the hooks of this thread on saved tensors."""
    cdef list hooks = hooks_of_thread()
    if hooks:
        restore_hooks(None)
    try:
        return function(*args)
    finally:
        if hooks:
            restore_hooks(hooks)


def _top_saved_tensors_default_hooks(ignore_is_tracing):
    return default_hooks()


def _saved_tensors_hooks_is_enabled():
    return getattr(_thread, "disabled", None) is None


def _saved_tensors_hooks_disable(message, fail_if_non_empty=True):
    if not isinstance(message, str):
        raise TypeError(
            "_saved_tensors_hooks_disable(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (error_message: str, fail_if_non_empty: bool = True) -> None\n\n"
            f"Invoked with: {message!r}")
    _thread.disabled = message                      # also if it raises, as in PyTorch
    if fail_if_non_empty and default_hooks() is not None:
        raise RuntimeError(message)


def _saved_tensors_hooks_enable():
    _thread.disabled = None


def _saved_tensors_hooks_get_disabled_error_message():
    return getattr(_thread, "disabled", None)


cdef str wrong_arguments(name, first, second, given, owner=""):
    self = "self: torch._C._autograd.SavedTensor, " if owner else ""
    shown = ", ".join(map(repr, given))
    return (
        f"{name}(): incompatible function arguments. The following argument types are supported:\n"
        f"    1. ({self}{first}: collections.abc.Callable, {second}: collections.abc.Callable) -> None\n\n"
        f"Invoked with: {shown}")
