"""An exception on its way from one thread or process to another."""

import sys
import traceback


class KeyErrorMessage(str):
    """A text that `KeyError` shows as it is, with its line breaks."""

    __slots__ = ()

    def __repr__(self):
        return self


class ExceptionWrapper:
    """An exception that happened elsewhere, to be raised again here with the traceback in its text.

    Parameters
    ----------
    exc_info : tuple, optional
        What ``sys.exc_info()`` gives; by default, of the exception being handled.
    where : str
        Where it happened.

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
        # the traceback itself is not kept: it refers to frames, and those to everything in them
        exc_info = exc_info or sys.exc_info()
        self.exc_type = exc_info[0]
        self.exc_msg = "".join(traceback.format_exception(*exc_info))
        self.where = where

    def reraise(self):
        """Raise it; as RuntimeError, if its type cannot be made from a text alone."""
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
            del exception  # it refers to this frame by its traceback, and the frame to it
