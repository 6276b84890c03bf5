"""Exception classes that programs catch by name and that minitorch never raises."""

__all__ = ["AcceleratorError", "FatalError", "OutOfMemoryError"]


class OutOfMemoryError(RuntimeError):
    """Raised by PyTorch when a GPU is out of memory, and by no function here.

    Parameters
    ----------
    *args : str
        The text.

    Examples
    --------
    >>> import minitorch as torch
    >>> try:
    ...     y = torch.ones(1000) * 2
    ... except torch.OutOfMemoryError:
    ...     y = None
    >>> y.shape
    torch.Size([1000])
    """


class AcceleratorError(RuntimeError):
    """Raised by PyTorch for an error of an accelerator, and by no function here.

    Parameters
    ----------
    *args : str
        The text.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.AcceleratorError, RuntimeError)
    True
    """


class FatalError(Exception):
    """Raised by PyTorch for unrecoverable errors, and by no function here.

    Parameters
    ----------
    *args : str
        The text.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.FatalError, Exception)
    True
    """


for _error in (OutOfMemoryError, AcceleratorError, FatalError):
    _error.__module__ = "torch"
