"""The metaclasses of datapipes."""

from abc import ABCMeta

from minitorch.utils.data.datapipes._hook_iterator import hook_iterator, hook_reset

__all__ = ["GenericMeta", "_DataPipeMeta", "_IterDataPipeMeta"]


class GenericMeta(ABCMeta):
    """The base of both metaclasses, which old programs import by this name."""


class _DataPipeMeta(GenericMeta):
    """The metaclass of datapipes; annotations of element types are not checked, as in PyTorch."""


class _IterDataPipeMeta(_DataPipeMeta):
    """The metaclass of iterable datapipes; it wraps their methods with the checks of `_hook_iterator`."""

    def __new__(cls, name, bases, namespace, **kwargs):
        if "reset" in namespace:
            namespace["reset"] = hook_reset(namespace["reset"])
        if "__iter__" in namespace:
            hook_iterator(namespace)
        return super().__new__(cls, name, bases, namespace, **kwargs)
