"""The classes of the classes of elements."""

from abc import ABCMeta

from minitorch.utils.data.datapipes._hook_iterator import hook_iterator, hook_reset

__all__ = ["GenericMeta", "_DataPipeMeta", "_IterDataPipeMeta"]


class GenericMeta(ABCMeta):
    """A name of old."""


class _DataPipeMeta(GenericMeta):
    """The class of the classes of elements; what their annotations say is not checked, as in PyTorch."""


class _IterDataPipeMeta(_DataPipeMeta):
    """Puts the checks of `_hook_iterator` around what a class defines."""

    def __new__(cls, name, bases, namespace, **kwargs):
        if "reset" in namespace:
            namespace["reset"] = hook_reset(namespace["reset"])
        if "__iter__" in namespace:
            hook_iterator(namespace)
        return super().__new__(cls, name, bases, namespace, **kwargs)
