"""The references of `torch.linalg`."""

from minitorch import linalg


def __getattr__(name):
    return getattr(linalg, name)
