"""Have an answer in Cython built in a jail, and get the library as bytes.

Outside of jails it stays bytes: it is never written to a file, and never loaded.
"""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from exercises.build_pyx import NO_COMPILER, NO_CYTHON, SECONDS
from exercises.grader import GraderError, jail
from exercises.grader.decode import Shown, clean
from exercises.grader.inside.frames import receive, send

LARGEST = 4 << 20  # bytes of a library
PROCESSOR = 8  # seconds of processor time that each of the compilers may take

_built = {}  # what was built in this process


def build(text, sandbox, original=None):
    """Build the text of an answer.

    Parameters
    ----------
    text : str
        The submission in the teacher's file.
    sandbox : str
        The name of the jail (`jail.choose`).
    original : str, optional
        The student's file, for the line of a syntax error.

    Returns
    -------
    bytes or Shown
        The library, or why there is none.

    Raises
    ------
    GraderError
        If nothing can be built here.
    """
    if (text, sandbox) not in _built:
        if not jail.has_landlock():
            raise GraderError("answers in Cython need a kernel with Landlock (Linux 5.13)")
        _built[text, sandbox] = _build(text, sandbox, original)
    return _built[text, sandbox]


def _build(text, sandbox, original):
    folder = user = None
    if sandbox == "user":  # bubblewrap has a folder of its own
        folder, user = tempfile.mkdtemp(prefix="minitorch-build-"), jail.another_user()
        if user is not None:
            os.chown(folder, user, user)
    process = subprocess.Popen(
        jail.command(sandbox, "builder", folder=folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=jail.ENVIRONMENT,
        cwd="/",
        start_new_session=True,
    )
    try:
        header = {"original": original, "seconds": min(PROCESSOR, SECONDS)}
        send(process.stdin.fileno(), header, text.encode())
        header, data = _receive(process, time.monotonic() + SECONDS)
    except TimeoutError:
        return Shown(error=f"building it takes more than {SECONDS} s")
    except (OSError, EOFError):
        os.killpg(process.pid, signal.SIGKILL)  # else it might go on, and keep the pipe open
        words = process.stderr.read(2000).decode(errors="replace").strip()
        if words:  # from before it looked at the text
            raise GraderError(f"the builder does not start: {words[-500:]}") from None
        return Shown(error="the compiler takes too much memory or time, or its result is too large")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        for file in (process.stdin, process.stdout, process.stderr):
            file.close()
        process.wait()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    if header["message"] in (NO_COMPILER, NO_CYTHON):
        raise GraderError(header["message"])
    if header["message"] is None:
        return data
    return Shown(None, None, clean(header["message"]), header["line"], header["original"])


def _receive(process, deadline):
    fd, total = process.stdout.fileno(), 0

    def read(count):
        nonlocal total
        if not select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
            raise TimeoutError
        chunk = os.read(fd, min(count, 1 << 20))
        total += len(chunk)
        if total > LARGEST:
            raise EOFError
        return chunk

    return receive(read)
