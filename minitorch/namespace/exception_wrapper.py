"""Exceptions that are passed from one thread or process to another."""

import sys
import traceback


class KeyErrorMessage(str):
    """A message that `KeyError` prints as it is, with its line breaks."""

    __slots__ = ()

    def __repr__(self):
        return self


class ExceptionWrapper:
    """An exception from elsewhere to raise again, with the original traceback in its message.

    Parameters
    ----------
    exc_info : tuple, optional
        The result of ``sys.exc_info()``; by default, for the exception being handled.
    where : str
        The place of the exception, for the message.

    Examples
    --------
    >>> from minitorch._utils import ExceptionWrapper
    >>> try:
    ...     [][1]
    ... except IndexError:
    ...     caught = ExceptionWrapper(where="in a worker")
    >>> caught.reraise()
    Traceback (most recent call last):
    IndexError: Caught IndexError in a worker.
    ...
    """

    def __init__(self, exc_info=None, where="in background"):
        # the traceback is not kept, because it refers to frames and all their variables
        exc_info = exc_info or sys.exc_info()
        self.exc_type = exc_info[0]
        self.exc_msg = "".join(traceback.format_exception(*exc_info))
        self.where = where

    def reraise(self):
        """Raise the exception; as RuntimeError if its type cannot be made from a message alone."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = KeyErrorMessage(message)
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=message)
        try:
            exception = self.exc_type(message)
        except Exception:  # noqa: BLE001 -- a constructor of anybody's
            raise RuntimeError(message) from None
        try:
            raise exception
        finally:
            del exception  # breaks the reference cycle of exception, traceback and frame
