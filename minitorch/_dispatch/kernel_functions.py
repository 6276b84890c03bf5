"""A single kernel of an operator, which a program may keep before it registers another."""

from minitorch._dispatch import replacements
from minitorch._dispatch.custom import redispatch, run_kernel
from minitorch._dispatch.key_sets import is_alias, is_included_in_alias, key_of_name
from minitorch._dispatch.keys import OperatorHandle
from minitorch._dispatch.registrations import has_computed_kernel_for


class SafeKernelFunction:
    """Kernel that an operator has for a dispatch key at the time of construction.

    Parameters
    ----------
    overload : OpOverload
    key : str

    Raises
    ------
    RuntimeError
        The operator has no kernel for the key, or the key is an alias of several keys.
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
        """Return the program's kernel, or None if PyTorch's own or a fallback is called."""
        if self._overload._kernels is None:
            return replacements.find(self._overload, key.name)
        own = self._overload._kernels
        names = [n for n in own if n == key.name or is_included_in_alias(key, key_of_name(n))]
        return own[names[0]] if names else None

    def __repr__(self):
        return f"SafeKernelFunction(debug='{self._overload.name()} for {self._key}')"

    def call_boxed(self, keys, /, *args, **kwargs):
        """Call the kernel as if the tensors had the dispatch keys `keys`."""
        if self._kernel is not None:
            return run_kernel(self._kernel, self._overload, args, kwargs)
        with replacements.hidden(self._overload, self._key):
            return redispatch(self._overload, keys, args, kwargs)


SafeKernelFunction.__name__ = SafeKernelFunction.__qualname__ = "_SafeKernelFunction"
SafeKernelFunction.__module__ = "minitorch._C"

__all__ = ["SafeKernelFunction"]
