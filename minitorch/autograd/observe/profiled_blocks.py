"""Labels in the running profile: those of `record_function`, and minitorch's own.

Modes of ``__torch_dispatch__`` see a label as an operator, and begin the label by calling that
operator.
"""

import functools
from contextlib import nullcontext
from types import NoneType

from minitorch.autograd.calls import FUNCTION, are_calls_watched, begin_block, end_block
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.python_dispatch import asks_modes
from minitorch.autograd.upward_calls import dispatch

_nothing = nullcontext()


class Label:
    """A label that has begun, with its values."""

    def __init__(self, name, *values):
        self._begun = begin_block(name, arguments=values)

    def end(self):
        """End the label."""
        end_block(self._begun)


def begin(name, args=None):
    """Begin a label; return the handle that `end` takes."""
    # arguments that are not texts go to the operator, which raises the error
    if asks_modes() or not isinstance(name, str) or not isinstance(args, (str, NoneType)):
        return dispatch().begin_label(name, args)
    return Label(name) if args is None else Label(name, args)


def end(label):
    """End a label."""
    if asks_modes():
        dispatch().end_label(label)
    elif isinstance(label, Label):
        label.end()


def _record_function_with_args_enter(name, *values):
    """Begin a label with values; return the handle that `_record_function_with_args_exit` takes."""
    return Label(name, *values)


def _record_function_with_args_exit(label):
    """End a label of `_record_function_with_args_enter`."""
    label.end()


class _Block:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.label = begin(self.name)

    def __exit__(self, *error):
        end(self.label)


def named_block(name):
    """Return a context manager that labels a block in the running profile.

    Examples
    --------
    >>> from minitorch.autograd.observe.profiled_blocks import named_block
    >>> with named_block("reading"):
    ...     line = "text"
    """
    return _Block(name) if are_calls_watched() or asks_modes() else _nothing


def observed(function):
    """Decorate a composed function: report its calls as PyTorch's operator of that name."""
    name = function.__name__

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not are_calls_watched():
            return function(*args, **kwargs)
        numbered = is_grad_enabled()
        begun = begin_block(
            f"aten::{name}", FUNCTION, (args, kwargs), operator=name, numbered=numbered
        )
        result = None
        try:
            result = function(*args, **kwargs)
        finally:
            end_block(begun, result)
        return result

    return wrapper
