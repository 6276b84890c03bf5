"""The secret from which the seeds of the hidden tests are drawn."""

import os
import secrets
import stat
from pathlib import Path

VARIABLE = "MINITORCH_COURSE_SECRET"
SHORTEST = 16


class SecretError(Exception):
    """There is no usable secret; the message says how to make one."""


def create(path):
    """Write a new secret into a file that only its owner can read.

    Raises
    ------
    SecretError
        If the file exists: another secret would change every hidden test.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise SecretError(f"{path} exists and is kept, since grades depend on it") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32) + "\n")


def find(path=None):
    """Return the secret from a file or, without one, from the environment.

    The environment variable is removed, so that no process that is started later inherits it.
    """
    text = os.environ.pop(VARIABLE, "")
    if path is not None:
        try:
            mode = os.stat(path).st_mode
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SecretError(f"cannot read the secret {path}: {error}") from None
        if stat.S_IMODE(mode) & 0o077:
            raise SecretError(f"others may read {path}; run: chmod 600 {path}")
    text = text.strip()
    if not text:
        raise SecretError(
            f"there is no secret: give --secret FILE or set {VARIABLE}; "
            "python -m exercises.teacher secret FILE makes one"
        )
    if len(text) < SHORTEST:
        raise SecretError(f"the secret is shorter than {SHORTEST} characters, so it can be guessed")
    return text
