"""What PyTorch has and minitorch has not, under its names: a program that lists them can be loaded."""

__all__ = ["Absent", "absent", "functions"]

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
