"""Short stack traces, and source lines of functions compiled from strings."""

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
    """Show source lines of functions compiled from strings in tracebacks.

    Such a function has its source in the global ``__compile_source__``. The source is written to a
    file, to which the traceback refers.

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
            # modified in place, since the context manager restores the traceback it knows
            step.tb_next = result
            result = step
        raise error.with_traceback(result)  # noqa: B904


def _steps(tb):
    while tb is not None:
        yield tb
        tb = tb.tb_next


def _frame_in_file(frame, source):
    """Return a frame like `frame` whose code is in a file with `source`."""
    with tempfile.NamedTemporaryFile(mode="w", delete=False, suffix=".py") as file:
        file.write(source)
    own = frame.f_code
    # the line table refers to the instructions of the original code, as the traceback does
    code = compile("__current_frame()", file.name, "eval").replace(
        co_name=own.co_name, co_linetable=own.co_linetable, co_firstlineno=own.co_firstlineno
    )
    return eval(
        code, frame.f_globals, {**frame.f_locals, "__current_frame": lambda: sys._getframe(1)}
    )


def shorten_filename(fn, *, base=None):
    """Return a path relative to `base`, by default the directory that contains the package."""
    if base is None:
        base = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        prefix = os.path.commonpath([fn, base])
    except ValueError:
        return fn
    return fn[len(prefix) + 1 :]


def format_frame(frame, *, base=None, line=False):
    """Format a stack entry as one line, preceded by the source line if `line` is True."""
    source = f"{frame.line}  # " if line else ""
    return f"{source}{shorten_filename(frame.filename, base=base)}:{frame.lineno} in {frame.name}"


def format_traceback_short(tb):
    """Format the innermost entry of a traceback as one line."""
    return format_frame(traceback.extract_tb(tb)[-1])


class CapturedTraceback:
    """A stack trace whose source lines are read only when it is shown.

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
        """Return the stack of the caller, without the `skip` innermost entries.

        Raises
        ------
        NotImplementedError
            If TorchScript or C++ frames are requested.
        """
        if script or cpp:
            raise NotImplementedError("CapturedTraceback.extract: calls of TorchScript or C++")
        frames = traceback.walk_stack(sys._getframe(1))
        return CapturedTraceback(
            traceback.StackSummary.extract(frames, lookup_lines=False)[::-1], skip
        )

    def cleanup(self):
        """Drop the stack."""
        self.tb = None

    def summary(self):
        """Return the entries, the innermost last, as `traceback.StackSummary`."""
        entries = [] if self.tb is None else self.tb[: len(self.tb) - self.skip]
        return traceback.StackSummary.from_list(entries)

    def format(self):
        """Return the lines of `traceback.format_list`."""
        return traceback.format_list(self.summary())

    @staticmethod
    def format_all(tbs):
        """Return the formatted lines of each."""
        return [tb.format() for tb in tbs]
