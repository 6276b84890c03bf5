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
