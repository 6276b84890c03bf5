"""Assertions about tensors for packages: `_assert` and `_check` with their variants."""

import warnings

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import looks_for_rule
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.torch_function import _has_torch_function_unary, handle_torch_function
from minitorch.core.dtype import _dtypes
from minitorch.core.types import device as _device
from minitorch.tensors.settings import SymBool

__all__ = ["_assert", "_assert_async", "_assert_tensor_metadata", "_check", "_check_index", "_check_is_size",
           "_check_not_implemented", "_check_tensor_all", "_check_tensor_all_with", "_check_type",
           "_check_value", "_check_with"]  # fmt: skip

_NO_MESSAGE = (
    "Expected cond to be True, but got False. (Could this error message be improved? If so, please "
    "report an enhancement request to PyTorch.)"
)


def _assert(condition, message):
    """Raise AssertionError with `message` unless `condition` is true."""
    if type(condition) is not Tensor and _has_torch_function_unary(condition):
        return handle_torch_function(_assert, (condition,), condition, message)
    if not condition:
        raise AssertionError(message)
    return None


@looks_for_rule
@parsed_as("_assert_async")
def _assert_async(input, assert_msg=""):
    """Raise RuntimeError if the tensor's only element is zero.

    Raises
    ------
    RuntimeError
        If the element is zero, with the given message, or if there is not exactly one element.
    """
    if not input:
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")


# the C++ names of the dtypes, for PyTorch's error message
_IN_C = {
    "Byte": "unsigned char",
    "Char": "signed char",
    "Short": "short int",
    "Int": "int",
    "Long": "long int",
    "Half": "c10::Half",
    "Float": "float",
    "Double": "double",
    "ComplexFloat": "c10::complex<float>",
    "ComplexDouble": "c10::complex<double>",
    "Bool": "bool",
    "BFloat16": "c10::BFloat16",
}


@parsed_as("_assert_tensor_metadata")
def _assert_tensor_metadata(a, size=None, stride=None, dtype=None, *, device=None, layout=None):
    """Raise RuntimeError unless a tensor has the given size, strides, dtype, device and layout."""
    for name, expected, found in (
        ("sizes", size, a.shape),
        ("strides", stride, a.stride() if stride is not None else None),
    ):
        if expected is not None and list(expected) != list(found):
            raise RuntimeError(
                f"Tensor {name} mismatch! Expected: {list(expected)}, Got: {list(found)}"
            )
    if dtype is not None and dtype is not a.dtype:
        found = _IN_C[a.dtype._class_name]
        raise RuntimeError(f"Tensor dtype mismatch! Expected: {dtype._class_name}, Got: {found}")
    if device is not None and _device(device) != a.device:
        raise RuntimeError(f"Tensor device mismatch! Expected: {device}, Got: {a.device}")
    if layout is not None and layout is not a.layout:
        names = {"torch.strided": "Strided", "torch.sparse_coo": "Sparse"}
        expected, found = (names.get(str(kind), str(kind)) for kind in (layout, a.layout))
        raise RuntimeError(f"Tensor layout mismatch! Expected: {expected}, Got: {found}")


def _raise(error_type, message):
    if message is not None and not callable(message):
        raise TypeError("message must be a callable")
    raise error_type(_NO_MESSAGE if message is None else str(message()))


def _check_with(error_type, cond, message=None):
    """Raise an error of type `error_type` unless `cond` is True.

    Parameters
    ----------
    error_type : type
    cond : bool
    message : callable, optional
        Called to get the message if the check fails.

    Raises
    ------
    TypeError
        If `cond` is not a bool; for example, a tensor.
    """
    if not isinstance(cond, (bool, SymBool)):
        if isinstance(cond, Tensor):
            raise TypeError(
                "cond must be a bool, but got a Tensor. For tensor conditions, use "
                "torch._check_tensor_all() to assert that all elements are true."
            )
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if not cond:
        _raise(error_type, message)


def _check(cond, message=None):
    """Raise RuntimeError unless `cond` is True; the function `message` returns the message.

    Examples
    --------
    >>> import minitorch as torch
    >>> size = 3
    >>> torch._check(size > 2, lambda: f"{size} is too small")
    >>> torch._check(size > 4, lambda: f"{size} is too small")
    Traceback (most recent call last):
    RuntimeError: 3 is too small
    """
    _check_with(RuntimeError, cond, message)


def _check_index(cond, message=None):
    """Raise IndexError unless `cond` is True."""
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    """Raise ValueError unless `cond` is True."""
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    """Raise TypeError unless `cond` is True."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    """Raise NotImplementedError unless `cond` is True."""
    _check_with(NotImplementedError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    """Raise RuntimeError unless `i` is a valid size: not negative, and at most `max`."""
    warnings.warn(
        "_check_is_size will be removed in a future PyTorch release along with "
        "guard_size_oblivious.     Use _check(i >= 0) instead.",
        FutureWarning,
        stacklevel=2,
    )
    _check(i >= 0 and (max is None or i <= max), message)


def _check_tensor_all_with(error_type, cond, message=None):
    """Raise an error of type `error_type` unless all elements of a bool tensor are true."""
    if not isinstance(cond, Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype != _dtypes()["bool"]:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    if not cond.all().item():
        _raise(error_type, message)


def _check_tensor_all(cond, message=None):
    """Raise RuntimeError unless all elements of a bool tensor are true."""
    _check_tensor_all_with(RuntimeError, cond, message)
