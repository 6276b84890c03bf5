"""Stand-ins for functions and classes of PyTorch that minitorch lacks.

With them, a program that only refers to such names can be loaded.
"""

import functools

from minitorch.namespace.absent_names import IN_C

__all__ = ["Absent", "absent", "absent_in_c", "add_methods", "functions"]

# products of scaled 8-bit matrices
_NAMES = ("_scaled_mm", "_scaled_mm_v2")


def absent(name):
    """Return a function that raises NotImplementedError with the name of the missing function.

    Parameters
    ----------
    name : str
        The full name, such as ``"torch.onnx.export"``.
    """

    def function(*args, **kwargs):
        raise NotImplementedError(f"{name} is not part of minitorch")

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = f"Raise NotImplementedError, since {name} is not part of minitorch."
    return function


@functools.cache
def absent_in_c(namespace, name):
    """Return the stand-in for a missing C function, the same object at every call.

    Parameters
    ----------
    namespace : str
        ``"_VariableFunctions"``, ``"_nn"`` or ``"_linalg"``.
    name : str

    Raises
    ------
    AttributeError
        If PyTorch has no such function either.
    """
    if name not in IN_C.get(namespace, ()):
        raise AttributeError(f"module 'torch._C.{namespace}' has no attribute '{name}'")
    return absent(f"torch._C.{namespace}.{name}")


def add_methods(cls):
    """Add stand-ins for missing methods to the tensor class."""
    for name in IN_C["Tensor"]:
        setattr(cls, name, absent(f"torch.Tensor.{name}"))


class Absent:
    """Base of classes without instances, which programs use for ``isinstance`` checks.

    Raises
    ------
    NotImplementedError
        If an instance is created.
    """

    def __init__(self, *args, **kwargs):
        cls = next(c for c in type(self).__mro__ if Absent in c.__bases__)
        module = cls.__module__.replace("minitorch", "torch", 1)
        raise NotImplementedError(f"{module}.{cls.__name__} is not part of minitorch")


class DeviceObjType(Absent):
    """The type of devices in PyTorch's compiled module, for annotations; creating one raises.

    Parameters
    ----------
    *args, **kwargs
        Not used.

    Raises
    ------
    NotImplementedError
        Always; use `torch.device`.

    Examples
    --------
    >>> import minitorch as torch
    >>> def move(x, place: torch.DeviceObjType):
    ...     return x.to(place)
    """


def functions():
    """Return the stand-ins for the module `torch` by name, including the class `DeviceObjType`."""
    return {"DeviceObjType": DeviceObjType, **{name: absent(f"torch.{name}") for name in _NAMES}}
