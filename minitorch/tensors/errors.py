"""Errors that programs catch by name; none of them is ever raised here."""

__all__ = ["AcceleratorError", "FatalError", "OutOfMemoryError"]


class OutOfMemoryError(RuntimeError):
    """That a GPU has no memory left."""


class AcceleratorError(RuntimeError):
    """An error of an accelerator."""


class FatalError(Exception):
    """An error after which PyTorch could not go on."""


for _error in (OutOfMemoryError, AcceleratorError, FatalError):
    _error.__module__ = "torch"
