"""The names of classes in error messages.

References
----------
PyTorch's messages print C's ``tp_name``, which differs from ``__name__`` for classes written in C.
"""

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_type_names: dict[type, str] = {}


def register_type_name(cls, name):
    """Register the name of `cls` in messages, such as ``"torch.dtype"``."""
    _type_names[cls] = name


def type_name(obj):
    """Return the name of the class of `obj` for a message: C's ``tp_name``.

    For a class made by a ``class`` statement it is the bare name; for a class written in C it
    includes the module.
    """
    cls = type(obj)
    name = _type_names.get(cls)
    if name is None:
        name = cls.__name__
        if not cls.__flags__ & _HEAP_TYPE and cls.__module__ != "builtins":
            name = f"{cls.__module__}.{name}"
    return name
