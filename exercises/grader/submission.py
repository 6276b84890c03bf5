"""Read a student's file, which may be anything."""

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from exercises.grader.decode import clean
from exercises.report import Report, Result
from exercises.source import DamagedMarks, splice

LARGEST = 256 << 10  # bytes
LONGEST = 100  # characters of a student's line in a message


class Rejected(Exception):
    """The submission cannot be run; the message is for the student.

    Attributes
    ----------
    sha256 : str
        The digest of the file, if it could be read.
    """

    def __init__(self, message, sha256=""):
        super().__init__(message)
        self.sha256 = sha256


@dataclass
class Submission:
    """A student's file."""

    text: str
    sha256: str


def read(path):
    """Read a submission.

    Raises
    ------
    Rejected
        If it is missing, no plain file, too large, or no text in UTF-8.
    """
    name = Path(path).name
    try:
        # O_NONBLOCK: opening a named pipe does not wait for somebody to write into it.
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Rejected(f"{name} is a symbolic link; hand in the file itself") from None
        raise Rejected(f"{name} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Rejected(f"{name} is not a plain file")
    with os.fdopen(fd, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Rejected(f"{name} is larger than {LARGEST >> 10} KB")
    digest = hashlib.sha256(data).hexdigest()
    if not data.strip():
        raise Rejected(f"{name} is empty", digest)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Rejected(f"{name}, line {line}: this is not UTF-8", digest) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Rejected(f"{name}, line {line}: there is a NUL character", digest)
    return Submission(text, digest)


def open_report(assignment, path, scenarios):
    """Read a submission and begin the report on it.

    Returns
    -------
    report : Report
        With a result for each scenario, none of which has earned anything yet, and with a message
        if there is nothing to run.
    submission : Submission or None
    spliced : Spliced or None
        Both are None if there is nothing to run.
    """
    report = Report(assignment.name, str(path))
    report.total = float(sum(s.points for s in scenarios.values()))
    page = assignment.about.reading[0]
    report.results = [
        Result(s.name, s.points, 0.0, s.hidden, "error", idea=s.idea, page=s.page or page)
        for s in scenarios.values()
    ]
    try:
        submission = read(path)
        report.sha256 = submission.sha256
        spliced = splice(assignment, submission.text)
        if spliced.unchanged:
            raise Rejected("nothing has been written yet", submission.sha256)
    except (Rejected, DamagedMarks) as error:
        report.message = clean(str(error))
        report.sha256 = report.sha256 or getattr(error, "sha256", "")
        return report, None, None
    return report, submission, spliced


def error_at(path, line, error, submission):
    """Return the message about an error in a line of a submission, or in none."""
    name, lines = Path(path).name, submission.text.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return f"{name}: {error}"
    return f"{name}, line {line}: {error}\n    {clean(lines[line - 1].strip()[:LONGEST])}"
