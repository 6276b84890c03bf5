"""Find the submissions of a class without trusting their names or contents."""

import csv
import os
import re
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_NESTED = re.compile(r"(?P<number>a\d\d)(_\w+)?\.pyx?", re.ASCII)
_FLAT = re.compile(r"(?P<student>.+?)_" + _NESTED.pattern, re.ASCII | re.DOTALL)


class SubmissionsError(Exception):
    """The folder or the table of times cannot be used."""


@dataclass
class Submission:
    """One file that a student handed in.

    Attributes
    ----------
    student, assignment : str
    path : Path
    data : bytes or None
        The contents; None if the file is not graded.
    problem : str or None
        Why it is not graded.
    submitted : datetime
    clock : str
        Where the time is from: ``submitted.csv`` or ``file's date``.
    """

    student: str
    assignment: str
    path: Path
    data: bytes = None
    problem: str = None
    submitted: datetime = None
    clock: str = "file's date"


def shown(text):
    """Return a name as printable text: other characters and foreign bytes are escaped."""
    text = os.fsencode(text).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def find(folder, assignments, max_bytes, times=None):
    """Return the submissions in a folder, and sentences about files that were left out.

    A submission is ``STUDENT/aNN_name.py`` or ``STUDENT_aNN.py``. No symbolic link is followed.

    Parameters
    ----------
    folder : Path
    assignments : iterable of str
    max_bytes : int
    times : dict, optional
        From `read_times`.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise SubmissionsError(f"{shown(folder)} is no folder")
    numbers = {name[:3]: name for name in assignments}
    found, left_out = {}, []

    def add(student, match, entry):
        name = numbers.get(match and match["number"])
        if name is None:
            left_out.append(f"{shown(entry.path)} is no assignment of this course")
        elif (student, name) in found:
            first = found[student, name].path
            left_out.append(f"{shown(entry.path)} is left out: {shown(first)} is graded")
        else:
            found[student, name] = read(student, name, entry.path, max_bytes)

    for entry in _entries(folder):
        if entry.name.startswith(".") or entry.name == "submitted.csv":
            continue
        if entry.is_dir(follow_symlinks=False):
            try:
                inner = _entries(entry.path)
            except OSError as error:
                left_out.append(f"{shown(entry.path)} cannot be read: {error.strerror}")
                continue
            files = [file for file in inner if file.name.endswith((".py", ".pyx"))]
            if not files:
                left_out.append(f"{shown(entry.path)} has no submission")
            for file in files:
                add(entry.name, _NESTED.fullmatch(file.name), file)
        elif entry.name.endswith((".py", ".pyx")):
            match = _FLAT.fullmatch(entry.name)
            add(match and match["student"], match, entry)
        else:
            left_out.append(f"{shown(entry.path)} is no submission")
    submissions = sorted(found.values(), key=lambda s: (s.assignment, os.fsencode(s.student)))
    for submission in submissions:
        time = (times or {}).get((shown(submission.student), submission.assignment))
        if time is not None:
            submission.submitted, submission.clock = time, "submitted.csv"
    return submissions, left_out


def _entries(folder):
    """Return the entries of a folder: longer names first, then by their bytes.

    So ``a04_value.py`` comes before ``a04.py``, and is the one that is graded.
    """
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda e: (not e.is_dir(follow_symlinks=False),
                                              -len(e.name), os.fsencode(e.name)))  # fmt: skip


def read(student, assignment, path, max_bytes):
    """Read one submission; a file that cannot be graded gets a problem and no data."""
    submission = Submission(student, assignment, Path(path))
    submission.submitted = _date(os.lstat(path))
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except OSError as error:
        link = os.path.islink(path)
        submission.problem = "a symbolic link, which is not followed" if link else error.strerror
        return submission
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        submission.problem = "not a regular file"
        return submission
    with os.fdopen(descriptor, "rb") as file:
        if status.st_size > max_bytes:
            submission.problem = f"larger than {max_bytes:,} bytes"
        else:
            submission.data = file.read(max_bytes)
    return submission


def _date(status):
    """Return a file's date; for one that no calendar has, when it came into this folder."""
    try:
        return datetime.fromtimestamp(status.st_mtime, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(status.st_ctime, UTC)


def read_times(path):
    """Read when each submission was handed in.

    Parameters
    ----------
    path : Path
        A CSV file with the columns ``student``, ``assignment`` and ``time`` (ISO 8601 with an
        offset, such as ``2026-10-05T21:10:00+02:00``).

    Returns
    -------
    dict
        The time by student and assignment.
    """
    times = {}
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if not {"student", "assignment", "time"} <= set(rows.fieldnames or ()):
                raise SubmissionsError(f"{path} needs the columns student, assignment and time")
            for row in rows:
                try:
                    time = datetime.fromisoformat(row["time"])
                except (TypeError, ValueError):
                    time = None
                if time is None or time.tzinfo is None:
                    raise SubmissionsError(
                        f"{path}, line {rows.line_num}: {row['time']!r} should be a date and time "
                        "with an offset, such as 2026-10-05T21:10:00+02:00"
                    )
                times[row["student"], row["assignment"]] = time
    except (OSError, UnicodeDecodeError) as error:
        raise SubmissionsError(f"cannot read {path}: {error}") from None
    return times
