"""Context managers that pack saved tensors, keep them on the CPU, or allow writes to them."""

import weakref

from minitorch.autograd.inplace import _set_write_guard
from minitorch.autograd.saved_tensor_hooks import (
    _saved_tensors_hooks_disable,
    _saved_tensors_hooks_enable,
    _saved_tensors_hooks_get_disabled_error_message,
    entered_hooks,
)
from minitorch.core.context import contextmanager


class saved_tensors_hooks(entered_hooks):
    """Pack every tensor that is saved for the backward pass, and unpack it when it is needed.

    Parameters
    ----------
    pack_hook : callable
        Takes the tensor and returns any object. It must not write to the tensor.
    unpack_hook : callable
        Takes the object that `pack_hook` returned and returns a tensor with the same values.

    Raises
    ------
    TypeError
        When a hook is not callable; in the backward pass, when `unpack_hook` does not return a
        tensor.
    RuntimeError
        When `pack_hook` writes to its tensor, or when hooks are disabled.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
    ...     y = x * x
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors on the CPU, without checking for later writes.

    All tensors are on the CPU already, so only `pin_memory` has an effect on where they are kept.

    Parameters
    ----------
    pin_memory : bool, default False
        Save a copy instead of the tensor itself.
    device_type : str, default "cuda"
        The device for which the copy's memory is pinned, if that device exists.

    Raises
    ------
    RuntimeError
        When a tensor is saved with `pin_memory` and `device_type` is ``"cpu"``: memory cannot be
        pinned for the CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with torch.autograd.graph.save_on_cpu():
    ...     y = x * x
    >>> torch.autograd.grad(y, x)
    (tensor(6.),)
    """

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack(tensor):
            if pin_memory and device_type == "cpu" and not tensor.is_sparse:
                tensor.new_empty(0, pin_memory=True)  # raises the error
            return tensor.detach().clone() if pin_memory else tensor

        super().__init__(pack, lambda packed: packed)


@contextmanager
def disable_saved_tensors_hooks(error_message):
    """Make `saved_tensors_hooks` raise RuntimeError with this message inside the context.

    Parameters
    ----------
    error_message : str

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
    ...     with torch.autograd.graph.save_on_cpu():
    ...         pass
    Traceback (most recent call last):
    RuntimeError: not here
    """
    previous = _saved_tensors_hooks_get_disabled_error_message()
    try:
        _saved_tensors_hooks_disable(error_message)
        yield
    finally:
        if previous is None:
            _saved_tensors_hooks_enable()
        else:
            _saved_tensors_hooks_disable(previous)


class _Handle:
    """The key of one saved tensor; the context's tables refer to it weakly."""

    __slots__ = ("__weakref__",)


class _AllowMutationOnSavedContext:
    """The tensors saved in `allow_mutation_on_saved_tensors`, and the copies made before writes."""

    def __init__(self):
        self.cloned = weakref.WeakKeyDictionary()
        self.original = weakref.WeakKeyDictionary()
        # (id, address, version) of a tensor -> its handle, while a saved variable holds the handle
        self.tid_to_weakhandle = weakref.WeakValueDictionary()
        # the address of a storage -> the keys of the tensors saved in it
        self.sid_to_tid = {}

    def clear(self):
        self.cloned.clear()
        self.original.clear()
        self.tid_to_weakhandle.clear()
        self.sid_to_tid.clear()

    def pack(self, tensor):
        key = (id(tensor), tensor.data_ptr(), tensor._version)
        handle = self.tid_to_weakhandle.get(key)
        if handle is None or handle not in self.original:
            handle = _Handle()
            self.tid_to_weakhandle[key] = handle
            self.original[handle] = tensor
            self.sid_to_tid.setdefault(_storage_id(tensor), set()).add(key)
        return handle

    def unpack(self, handle):
        error = (
            "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
            "in which the graph was originally recorded."
        )
        if handle in self.cloned:
            return self.cloned[handle]
        assert handle in self.original, error
        return self.original[handle]

    def before_write(self, tensor):
        """Copy the saved tensors whose storage is about to be written to."""
        for key in self.sid_to_tid.pop(_storage_id(tensor), ()):
            handle = self.tid_to_weakhandle.get(key)
            if handle is not None and handle in self.original:
                self.cloned[handle] = self.original.pop(handle).detach().clone()


def _storage_id(tensor):
    return tensor.untyped_storage().data_ptr()


_active_context = None


@contextmanager
def allow_mutation_on_saved_tensors():
    """Allow writes to saved tensors inside the context: a saved tensor is copied before the write.

    The backward pass has to run inside the context as well.

    Returns
    -------
    context manager
        It yields an object whose ``clear()`` drops the saved tensors.

    Raises
    ------
    RuntimeError
        When contexts are nested.
    AssertionError
        When the backward pass runs outside the context.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     a = torch.ones(2, requires_grad=True)
    ...     b = a.clone()
    ...     out = (b**2).sum()
    ...     _ = b.mul_(10)
    ...     out.backward()
    >>> a.grad
    tensor([2., 2.])
    """
    global _active_context
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack):
        if _active_context is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        try:
            _active_context = context
            _set_write_guard(context.before_write)
            yield context
        finally:
            context.clear()
            _active_context = None
            _set_write_guard(None)
