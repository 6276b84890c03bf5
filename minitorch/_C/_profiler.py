"""``torch._C._profiler``: where a program stands, kept cheaply and told later."""

import sys

__all__ = ["CapturedTraceback", "gather_traceback", "symbolize_tracebacks"]


class CapturedTraceback:
    """The frames that a call came through, the innermost first."""

    def __init__(self, frame):
        self._places = []
        while frame is not None:
            self._places.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back


def gather_traceback(python, script, cpp):
    """The frames of Python that lead here; those of TorchScript and C++ are not looked at."""
    return CapturedTraceback(sys._getframe(1) if python else None)


def symbolize_tracebacks(to_symbolize):
    """A list of dictionaries with the keys ``name``, ``filename`` and ``line`` for each of a list of tracebacks."""
    return [
        [
            {"name": code.co_name, "filename": code.co_filename, "line": line}
            for code, line in captured._places
        ]
        for captured in to_symbolize
    ]
