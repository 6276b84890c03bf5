"""Exception classes that programs catch by name and that minitorch never raises."""

__all__ = ["AcceleratorError", "FatalError", "OutOfMemoryError"]


class OutOfMemoryError(RuntimeError):
    """Raised by PyTorch when a GPU is out of memory."""


class AcceleratorError(RuntimeError):
    """Raised by PyTorch for an error of an accelerator."""


class FatalError(Exception):
    """Raised by PyTorch for unrecoverable errors."""


for _error in (OutOfMemoryError, AcceleratorError, FatalError):
    _error.__module__ = "torch"
