"""One kernel of an operator by itself, as a program may keep it before it registers another."""

from minitorch._dispatch import replacements
from minitorch._dispatch.custom import redispatch, run_kernel
from minitorch._dispatch.key_sets import is_alias, is_included_in_alias, key_of_name
from minitorch._dispatch.keys import OperatorHandle
from minitorch._dispatch.registrations import has_computed_kernel_for


class SafeKernelFunction:
    """The kernel that an operator has for a key when this is made.

    Parameters
    ----------
    overload : OpOverload
    key : str

    Raises
    ------
    RuntimeError
        It has none, or the key stands for several.
    """

    def __init__(self, overload, key):
        key = key_of_name(key)
        if is_alias(key):
            raise RuntimeError("Alias keys do not have runtime kernel registrations.")
        if not has_computed_kernel_for(overload.name(), key):
            raise RuntimeError(f"no kernel for {key.name} for {overload.name()}")
        self.op_handle = OperatorHandle(overload)
        self._overload, self._key = overload, key.name
        self._kernel = self._found(key)

    def _found(self, key):
        """The program's kernel; None: it is PyTorch's own, or the one for all operators."""
        if self._overload._kernels is None:
            return replacements.find(self._overload, key.name)
        own = self._overload._kernels
        names = [n for n in own if n == key.name or is_included_in_alias(key, key_of_name(n))]
        return own[names[0]] if names else None

    def __repr__(self):
        return f"SafeKernelFunction(debug='{self._overload.name()} for {self._key}')"

    def call_boxed(self, keys, /, *args, **kwargs):
        """Call it, as if the tensors had a set of keys."""
        if self._kernel is not None:
            return run_kernel(self._kernel, self._overload, args, kwargs)
        with replacements.hidden(self._overload, self._key):
            return redispatch(self._overload, keys, args, kwargs)


SafeKernelFunction.__name__ = SafeKernelFunction.__qualname__ = "_SafeKernelFunction"
SafeKernelFunction.__module__ = "minitorch._C"

__all__ = ["SafeKernelFunction"]
