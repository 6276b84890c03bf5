"""The references of `torch.nn.functional`."""

from minitorch.nn import functional


def __getattr__(name):
    return getattr(functional, name)
