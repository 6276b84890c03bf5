"""Marker for tensor subclasses that can be constructed in an exported program."""

import inspect

__all__ = ["mark_subclass_constructor_exportable_experimental"]


def mark_subclass_constructor_exportable_experimental(constructor_subclass):
    """Return the ``__init__`` method unchanged; the marker matters only for export.

    Raises
    ------
    RuntimeError
        If the argument is not an ``__init__`` method.
    """
    if not (
        inspect.isfunction(constructor_subclass) and constructor_subclass.__name__ == "__init__"
    ):
        raise RuntimeError(
            "torch._export.wrappers.mark_constructor_exportable_experimental can only be applied on subclass "
            f"tensor.__init__But, you are adding it on {constructor_subclass.__name__} which is not supported. "
            "If __init__ doesn't exist on your subclass, please add it. Look at DTensor.__init__ "
            "implementation for example"
        )
    return constructor_subclass
