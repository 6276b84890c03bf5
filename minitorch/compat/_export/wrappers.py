"""The mark of a subclass of Tensor that may be made inside of an exported program."""

import inspect

__all__ = ["mark_subclass_constructor_exportable_experimental"]


def mark_subclass_constructor_exportable_experimental(constructor_subclass):
    """The same ``__init__``: only an export would look for the mark.

    Raises
    ------
    RuntimeError
        It is no ``__init__``.
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
