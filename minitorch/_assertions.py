"""`_assert` and `_assert_async`: conditions that packages state about their tensors."""

from minitorch.autograd.functions.python_signatures import parsed_as

__all__ = ["_assert", "_assert_async"]


def _assert(condition, message):
    """Raise AssertionError with `message` unless `condition` is true."""
    if not condition:
        raise AssertionError(message)


@parsed_as("_assert_async")
def _assert_async(input, assert_msg=""):
    """Raise RuntimeError if the tensor's one element is zero.

    Raises
    ------
    RuntimeError
        Then, with the message given, and for more or fewer elements than one.
    """
    if not input:
        raise RuntimeError(assert_msg or "Expected Tensor with single nonzero value, but got zero")
