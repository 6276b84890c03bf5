"""Find the submissions of a class without trusting their names or contents."""

import csv
import os
import re
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

TIMES = "submitted.csv"
_NESTED = re.compile(r"(?P<number>a\d\d)(?P<rest>_\w+)?\.pyx?", re.ASCII)
_FLAT = re.compile(r"(?P<student>.+?)_" + _NESTED.pattern, re.ASCII | re.DOTALL)
_SHORT = re.compile(r"(^|_)a\d\d\.pyx?$", re.ASCII)
_AGAIN = re.compile(r"(?P<more>\w*?)_a\d\d(_|$)", re.ASCII)


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

    A submission is ``STUDENT/aNN_name.py`` or ``STUDENT_aNN.py``. No symbolic link is followed. A
    file such as ``bob_a01_a01.py`` is left out, since the student may be ``bob`` or ``bob_a01``. Of a
    student's files for one assignment, the one with the assignment's name is graded.

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
        again = _AGAIN.match(match["rest"] or "") if name and match.re is _FLAT else None
        if name is None:
            left_out.append(f"{shown(entry.path)} is no assignment of this course")
        elif again is not None:
            other = f"{student}_{match['number']}{again['more']}"
            left_out.append(
                f"{shown(entry.path)} is left out: the student may be {shown(student)} or "
                f"{shown(other)}; put it into a folder with the student's name"
            )
        elif (student, name) in found:
            first = found[student, name].path
            left_out.append(f"{shown(entry.path)} is left out: {shown(first)} is graded")
        else:
            found[student, name] = read(student, name, entry.path, max_bytes)

    names = tuple(f"{name}{end}" for name in numbers.values() for end in (".py", ".pyx"))
    for entry in _entries(folder, names):
        if entry.name == TIMES:
            if not entry.is_file(follow_symlinks=False):
                left_out.append(f"{shown(entry.path)} is not a regular file, so it is not read")
            continue
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            try:
                inner = _entries(entry.path, names)
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
            submission.submitted, submission.clock = time, TIMES
    return submissions, left_out


def _entries(folder, names):
    """Return the entries of a folder: folders first, then files in the order in which they count.

    So ``a04_value.py`` comes before ``a04.py``, and this before ``a04_old.py``.
    """

    def key(entry):
        name = entry.name
        kind = 0 if name.endswith(names) else 1 if _SHORT.search(name) else 2
        return not entry.is_dir(follow_symlinks=False), kind, len(name), os.fsencode(name)

    with os.scandir(folder) as entries:
        return sorted(entries, key=key)


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
        with open(path, newline="", encoding="utf-8-sig", opener=_regular) as file:
            rows = csv.DictReader(file)
            if not {"student", "assignment", "time"} <= set(rows.fieldnames or ()):
                raise SubmissionsError(f"{path} needs the columns student, assignment and time")
            for row in rows:
                try:
                    time = datetime.fromisoformat(row["time"])
                    if time.tzinfo is None:
                        raise ValueError
                    time = time.astimezone(UTC)
                except (TypeError, ValueError, OverflowError):
                    raise SubmissionsError(
                        f"{path}, line {rows.line_num}: {str(row['time'])[:40]!r} should be a date "
                        "and time with an offset, such as 2026-10-05T21:10:00+02:00"
                    ) from None
                times[row["student"], row["assignment"]] = time
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SubmissionsError(f"cannot read {path}: {error}") from None
    return times


def has_times(folder):
    """Return whether a folder of submissions has a table of times."""
    try:
        return stat.S_ISREG(os.lstat(Path(folder) / TIMES).st_mode)
    except OSError:
        return False


def _regular(path, flags):
    """Open a file, but no folder, and no pipe, which could keep the caller waiting for ever."""
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("it is not a regular file")
    return descriptor
