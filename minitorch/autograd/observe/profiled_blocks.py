"""Labels in the profile that runs, those of `record_function` and those that minitorch gives to what it does itself.

Modes of ``__torch_dispatch__`` are told of a label as of an operator, and begin it by calling that.
"""

from contextlib import nullcontext
from types import NoneType

from minitorch.autograd.observe import record_functions as _record_functions
from minitorch.autograd.python_dispatch import asks_modes

_tell_begin = _tell_end = None  # the operators that begin and end a label
_nothing = nullcontext()


def tell(begin, end):
    """The operators that modes are to see."""
    global _tell_begin, _tell_end
    _tell_begin, _tell_end = begin, end


class Label:
    """A label that has begun, with what it was given."""

    def __init__(self, name, *values):
        listening = _record_functions.listening()
        self._record = _record_functions.begin(name, arguments=values) if listening else None

    def end(self):
        """End it."""
        if self._record is not None:
            _record_functions.end(self._record)


def begin(name, args=None):
    """Begin a label; gives what `end` takes."""
    # what is no text is for the operator to refuse
    if asks_modes() or not isinstance(name, str) or not isinstance(args, (str, NoneType)):
        return _tell_begin(name, args)
    return Label(name) if args is None else Label(name, args)


def end(label):
    """End a label."""
    if asks_modes():
        _tell_end(label)
    elif isinstance(label, Label):
        label.end()


def _record_function_with_args_enter(name, *values):
    """Begin a label that is given values; gives what `_record_function_with_args_exit` takes."""
    return Label(name, *values)


def _record_function_with_args_exit(label):
    """End such a label."""
    label.end()


class _Block:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.label = begin(self.name)

    def __exit__(self, *error):
        end(self.label)


def named_block(name):
    """A block with a name in the profile that runs.

    Examples
    --------
    >>> from minitorch.autograd.observe.profiled_blocks import named_block
    >>> with named_block("reading"):
    ...     line = "text"
    """
    return _Block(name) if _record_functions.listening() or asks_modes() else _nothing
