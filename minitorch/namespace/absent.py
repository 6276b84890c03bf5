"""What PyTorch has and minitorch has not, under its names: a program that lists them can be loaded."""

import functools

from minitorch.namespace.absent_names import IN_C

__all__ = ["Absent", "absent", "absent_in_c", "add_methods", "functions"]

# products of numbers of eight bits with their scales
_NAMES = ("_scaled_mm", "_scaled_mm_v2")


def absent(name):
    """A function that tells whoever calls it what is missing.

    Parameters
    ----------
    name : str
        Its whole name, such as ``"torch.onnx.export"``.
    """

    def function(*args, **kwargs):
        raise NotImplementedError(f"{name} is not part of minitorch")

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = f"Raises NotImplementedError: {name} is not part of minitorch."
    return function


@functools.cache
def absent_in_c(namespace, name):
    """What stands for a function in C that is missing, the same at every call.

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
    """Give the class of tensors the methods that are missing."""
    for name in IN_C["Tensor"]:
        setattr(cls, name, absent(f"torch.Tensor.{name}"))


class Absent:
    """The base of classes that programs ask with ``isinstance``, of which there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        cls = next(c for c in type(self).__mro__ if Absent in c.__bases__)
        module = cls.__module__.replace("minitorch", "torch", 1)
        raise NotImplementedError(f"{module}.{cls.__name__} is not part of minitorch")


class DeviceObjType(Absent):
    """A kind of devices, for annotations."""


def functions():
    """Those of the module `torch` itself, by name, and its class."""
    return {"DeviceObjType": DeviceObjType, **{name: absent(f"torch.{name}") for name in _NAMES}}
