"""The references of `torch.special`."""

from minitorch import special


def __getattr__(name):
    return getattr(special, name)
