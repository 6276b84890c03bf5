"""Stacks of calls in short, and the source of functions that were compiled from strings."""

import contextlib
import os.path
import sys
import tempfile
import traceback
from types import TracebackType

__all__ = [
    "CapturedTraceback",
    "format_frame",
    "format_traceback_short",
    "report_compile_source_on_error",
    "shorten_filename",
]


@contextlib.contextmanager
def report_compile_source_on_error():
    """Show, in the traceback of an exception, the lines of functions that were compiled from strings.

    Such a function has its source in its globals, as ``__compile_source__``. The source is written to a
    file, and the traceback names it.

    Examples
    --------
    >>> from minitorch.utils._traceback import report_compile_source_on_error
    >>> source = "def half(x):\\n    return x / 0"
    >>> names = {"__compile_source__": source}
    >>> exec(source, names)
    >>> try:
    ...     with report_compile_source_on_error():
    ...         names["half"](1)
    ... except ZeroDivisionError as error:
    ...     print(traceback.extract_tb(error.__traceback__)[-1].line)
    return x / 0
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001
        result = None
        for step in reversed(list(_steps(error.__traceback__))):
            frame = step.tb_frame
            source = frame.f_globals.get("__compile_source__")
            if frame.f_code.co_filename == "<string>" and source is not None:
                shown = _frame_in_file(frame, source)
                step = TracebackType(None, shown, step.tb_lasti, step.tb_lineno)
            # linked in place: the context manager puts back the entry that it knows
            step.tb_next = result
            result = step
        raise error.with_traceback(result)  # noqa: B904


def _steps(tb):
    while tb is not None:
        yield tb
        tb = tb.tb_next


def _frame_in_file(frame, source):
    """A frame like another, of code that stands in a file with `source`."""
    with tempfile.NamedTemporaryFile(mode="w", delete=False, suffix=".py") as file:
        file.write(source)
    own = frame.f_code
    # the table of lines belongs to the other code's instructions, as the traceback's position does
    code = compile("__current_frame()", file.name, "eval").replace(
        co_name=own.co_name, co_linetable=own.co_linetable, co_firstlineno=own.co_firstlineno
    )
    return eval(
        code, frame.f_globals, {**frame.f_locals, "__current_frame": lambda: sys._getframe(1)}
    )


def shorten_filename(fn, *, base=None):
    """A path without the folder `base`, which is the one that the package is in."""
    if base is None:
        base = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        prefix = os.path.commonpath([fn, base])
    except ValueError:
        return fn
    return fn[len(prefix) + 1 :]


def format_frame(frame, *, base=None, line=False):
    """One line for one entry of a stack, with the source's line first if `line` says so."""
    source = f"{frame.line}  # " if line else ""
    return f"{source}{shorten_filename(frame.filename, base=base)}:{frame.lineno} in {frame.name}"


def format_traceback_short(tb):
    """One line for the innermost entry of a traceback."""
    return format_frame(traceback.extract_tb(tb)[-1])


class CapturedTraceback:
    """A stack of calls that is looked up when it is shown.

    Examples
    --------
    >>> from minitorch.utils._traceback import CapturedTraceback
    >>> def here():
    ...     return CapturedTraceback.extract()
    >>> here().summary()[-1].name
    'here'
    """

    __slots__ = ("skip", "tb")

    def __init__(self, tb, skip=0):
        self.tb = tb
        self.skip = skip

    def __getstate__(self):
        return None, {"tb": None, "skip": self.skip}

    @staticmethod
    def extract(*, script=False, cpp=False, skip=0):
        """The stack of whoever calls, without the `skip` innermost entries.

        Raises
        ------
        NotImplementedError
            When the calls of TorchScript or of C++ are asked for.
        """
        if script or cpp:
            raise NotImplementedError("CapturedTraceback.extract: calls of TorchScript or C++")
        frames = traceback.walk_stack(sys._getframe(1))
        return CapturedTraceback(
            traceback.StackSummary.extract(frames, lookup_lines=False)[::-1], skip
        )

    def cleanup(self):
        """Forget the stack."""
        self.tb = None

    def summary(self):
        """The entries, the innermost last, as `traceback.StackSummary`."""
        entries = [] if self.tb is None else self.tb[: len(self.tb) - self.skip]
        return traceback.StackSummary.from_list(entries)

    def format(self):
        """The lines that `traceback.format_list` makes."""
        return traceback.format_list(self.summary())

    @staticmethod
    def format_all(tbs):
        """The lines of each."""
        return [tb.format() for tb in tbs]
