"""Handles that remove hooks."""

import warnings
import weakref


class RemovableHandle:
    """A handle that removes one hook from its dictionary.

    The key is an int, which no other handle has.

    Parameters
    ----------
    hooks_dict : dict
        The dictionary of the hook, whose key is `id`. The handle refers to it weakly.
    extra_dict : dict or list of dict, optional
        More dictionaries with entries under the same key.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> handle = x.register_hook(lambda grad: grad * 2)
    >>> handle.remove()
    """

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        if extra_dict is None:
            self.extra_dict_ref = ()
        elif isinstance(extra_dict, list):
            self.extra_dict_ref = tuple(weakref.ref(d) for d in extra_dict)
        else:
            self.extra_dict_ref = (weakref.ref(extra_dict),)

    def remove(self):
        """Remove the hook; a second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return (self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref))

    def __setstate__(self, state):
        hooks_dict, self.id, extra = state
        self.hooks_dict_ref = weakref.ref(_OrderedHooks() if hooks_dict is None else hooks_dict)
        self.extra_dict_ref = tuple(weakref.ref(_OrderedHooks() if d is None else d) for d in extra)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self):
        return self

    def __exit__(self, type, value, traceback):
        self.remove()


class _OrderedHooks(dict):
    """A dictionary that can be referred to weakly."""


def warn_if_has_hooks(tensor):
    """Warn about each hook of a tensor, since it is lost when the tensor is written to a file.

    Parameters
    ----------
    tensor : Tensor
        Any shape and dtype.

    Warns
    -----
    UserWarning
        Unless the hook is marked by `unserializable_hook`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.hooks.warn_if_has_hooks(torch.ones(2))
    """
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can "
                "decorate the function with @torch.utils.hooks.unserializable_hook to suppress this "
                "warning",
                stacklevel=2,
            )
