"""Tensors without data: there are none, and whoever asks is told so."""

__all__ = ["FakeTensor", "FakeTensorMode", "is_fake"]


class FakeTensor:
    """A tensor without data; there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"{self.__class__.__name__} is not part of minitorch")


class FakeTensorMode(FakeTensor):
    """Under which operators would make tensors without data."""


def is_fake(x):
    """Whether a tensor, or one that it stands for, has no data: no."""
    return False


def _is_tensor_constructor(func):
    """Whether an operator makes a tensor out of none: its schema names a device and no tensor."""
    schema = func._schema
    arguments = [str(argument.type) for argument in schema.arguments]
    names = [argument.name for argument in schema.arguments]
    return "device" in names and not any("Tensor" in kind for kind in arguments)
