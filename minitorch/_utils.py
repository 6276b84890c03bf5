"""What PyTorch's files and programs look for in ``torch._utils``."""

import sys
import traceback

from minitorch._rebuild import (
    _get_obj_state,
    _rebuild_tensor,
    _rebuild_tensor_v2,
    _rebuild_tensor_v3,
    _set_obj_state,
    get_tensor_metadata,
    set_tensor_metadata,
)
from minitorch.core.dtype import dtype as _dtype
from minitorch.nn.parameter import _rebuild_parameter, _rebuild_parameter_with_state

__all__ = [
    "ExceptionWrapper",
    "KeyErrorMessage",
    "_element_size",
    "_get_obj_state",
    "_import_dotted_name",
    "_rebuild_parameter",
    "_rebuild_parameter_with_state",
    "_rebuild_tensor",
    "_rebuild_tensor_v2",
    "_rebuild_tensor_v3",
    "_set_obj_state",
    "get_tensor_metadata",
    "set_tensor_metadata",
]


def _element_size(dtype):
    """The bytes of one element of a dtype."""
    if not isinstance(dtype, _dtype):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
    return dtype.itemsize


def _import_dotted_name(name):
    """The attribute of a module, as ``"module.attribute"``; the module is imported already."""
    module, *path = name.split(".")
    result = __import__(module)
    for part in path:
        result = getattr(result, part)
    return result


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
        raise exception
