"""The references of `torch.fft`."""

from minitorch import fft


def __getattr__(name):
    return getattr(fft, name)
