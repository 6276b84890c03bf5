"""Read a student's file, which may be anything."""

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

LARGEST = 256 << 10  # bytes


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
