"""The references of `torch.fft`."""

from minitorch import fft as _fft


def __getattr__(name):
    return getattr(_fft, name)
