"""The program that a trace belongs to: its source, and the line of it that is running."""

import linecache
import os
import re
import sys

_ORIGIN = re.compile(r"(.+?):(\d+), in ")


class TracedProgram:
    """A file, or any other source that `linecache` knows, such as a notebook's cell.

    Parameters
    ----------
    filename : str
        As in ``code.co_filename``.
    """

    def __init__(self, filename):
        self.filename = filename
        self.name = os.path.basename(filename)

    def source(self):
        """Return the text, or None if it cannot be found."""
        return "".join(linecache.getlines(self.filename)) or None

    def running_line(self):
        """Return the line of the innermost frame of this thread that runs the program, or None."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.filename:
                return frame.f_lineno
            frame = frame.f_back
        return None

    def line_in(self, origin):
        """Return the line that a node's origin names, or None if it is in another file."""
        match = _ORIGIN.match(origin or "")
        return int(match[2]) if match and match[1] == self.filename else None
