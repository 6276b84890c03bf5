"""Tensors without data: there are none, and whoever asks is told so."""

from contextlib import contextmanager

from minitorch._absent import Absent

__all__ = [
    "FakeTensor",
    "FakeTensorConverter",
    "FakeTensorMode",
    "is_fake",
    "unset_fake_temporarily",
]


class FakeTensor(Absent):
    """A tensor without data."""


class FakeTensorConverter(Absent):
    """Makes such a tensor of one with data."""


class FakeTensorMode(Absent):
    """Under which operators would make tensors without data."""


@contextmanager
def unset_fake_temporarily():
    """Within, tensors have data: as they have outside; gives the mode there was, None."""
    yield None


def is_fake(x):
    """Whether a tensor, or one that it stands for, has no data: no."""
    return False


def _is_tensor_constructor(func):
    """Whether an operator makes a tensor out of none: its schema names a device and no tensor."""
    schema = func._schema
    arguments = [str(argument.type) for argument in schema.arguments]
    names = [argument.name for argument in schema.arguments]
    return "device" in names and not any("Tensor" in kind for kind in arguments)
