"""Labels in the profile that runs, those of `record_function` and those that minitorch gives to what it does itself.

Modes of ``__torch_dispatch__`` are told of a label as of an operator, and begin it by calling that.
"""

from contextlib import nullcontext

from minitorch.autograd.python_dispatch import asks_modes

_recorder = None  # of the profile that runs
_tell_begin = _tell_end = None  # the operators that begin and end a label
_nothing = nullcontext()


def listen(recorder):
    """Have labels noted by the recorder of a profile; None: by nobody."""
    global _recorder
    _recorder = recorder


def tell(begin, end):
    """The operators that modes are to see."""
    global _tell_begin, _tell_end
    _tell_begin, _tell_end = begin, end


class Label:
    """A label that has begun."""

    def __init__(self, name):
        self._recorder = _recorder
        self._event = None if _recorder is None else _recorder.label_begins(name)

    def end(self):
        """End it, if the same profile runs still."""
        if self._event is not None and self._recorder is _recorder:
            self._recorder.ends(self._event)


def begin(name, args=None):
    """Begin a label; gives what `end` takes."""
    return _tell_begin(name, args) if asks_modes() else Label(name)


def end(label):
    """End a label."""
    if asks_modes():
        _tell_end(label)
    elif isinstance(label, Label):
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
    >>> from minitorch.autograd._profiled_blocks import named_block
    >>> with named_block("reading"):
    ...     line = "text"
    """
    return _Block(name) if _recorder is not None or asks_modes() else _nothing
