"""`_assert` and `_assert_async`: conditions that packages state about their tensors."""

from minitorch.core.arg_errors import bind

__all__ = ["_assert", "_assert_async"]

_ASYNC = ["_assert_async(Tensor input, c10::string_view assert_msg='')"]


def _assert(condition, message):
    """Raise AssertionError with `message` unless `condition` is true."""
    if not condition:
        raise AssertionError(message)


def _assert_async(*args, **kwargs):
    """_assert_async(input, assert_msg=''): raise RuntimeError if the tensor's one element is zero.

    Raises
    ------
    RuntimeError
        Then, with the message given, and for more or fewer elements than one.
    """
    _, (condition, message) = bind(_ASYNC, args, kwargs, name="_assert_async")
    if not condition:
        raise RuntimeError(message or "Expected Tensor with single nonzero value, but got zero")
