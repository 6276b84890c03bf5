"""Grade a class in parallel processes, and go on after a kill.

Each submission gets one record, a JSON file named by a key. The key is made of the submission, the
assignment's source, the secret and the course's version, so a record is used again exactly if
nothing has changed that could change the result. A record is written to a temporary file first and
renamed when it is on the disk: after `kill -9` it is there in full or not at all.
"""

import ctypes
import fcntl
import hashlib
import hmac
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

SLACK = 30  # seconds that a process may take beyond the grader's own budget
_PR_SET_PDEATHSIG = 1


class Busy(Exception):
    """Another run uses the folder."""


@contextmanager
def lock(folder):
    """Hold a folder for one run; the lock ends with the process, however that ends."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(folder / ".lock", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"another run is writing into {folder}") from None
        yield file.fileno()


def write(path, text):
    """Write a file so that at any time its old or its new text is there in full."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with open(temporary, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def key_of(data, source, secret, course):
    """Return the name of a submission's record."""
    digest = hmac.new(secret.encode(), digestmod=hashlib.sha256)
    for part in (data, source.path.read_bytes(), source.name.encode(), course.version.encode(),
                 repr((course.budget, course.sandbox)).encode()):  # fmt: skip
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def warm_up(sources, secret, course):
    """Run the solution and the known mistakes of each assignment, once for all processes.

    Raises
    ------
    GraderError
        If there is no sandbox here, or a solution fails.
    """
    from exercises.grader import jail
    from exercises.grader.grading import limit
    from exercises.grader.key import make_key, run_mistakes

    sandbox = jail.choose(course.sandbox)
    for source in sources:
        run_mistakes(make_key(source, secret, sandbox), sandbox, limit)
    return sandbox


def grade_one(source, data, secret, course):
    """Grade the bytes of a submission and return the report as a dictionary.

    The grader gets a copy in a folder of its own, so a submission does not see its neighbours.
    """
    from exercises.grader import grade

    with tempfile.TemporaryDirectory(prefix="submission-") as folder:
        path = Path(folder) / f"{source.name}.py"
        path.write_bytes(data)
        report = grade(source, path, secret=secret, sandbox=course.sandbox, budget=course.budget)
    return asdict(report) | {"path": path.name}


def grade_all(work, folder, secret, course, jobs, progress=print):
    """Grade what has no record yet.

    Parameters
    ----------
    work : dict
        Source and bytes of each submission by key.
    folder : Path
        The records' folder.
    secret : str
    course : Course
    jobs : int
        The number of processes.
    progress : callable
        Called with a sentence now and then.

    Returns
    -------
    dict
        The reason for each key that got no record.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    for left in folder.glob(".*"):  # of a run that was killed
        left.unlink()
    waiting = [key for key in work if not (folder / f"{key}.json").exists()]
    progress(f"{len(work)} different submissions; {len(work) - len(waiting)} are graded already")
    sources = {work[key][0].name: work[key][0] for key in waiting}
    if sources:
        sandbox = warm_up(sources.values(), secret, course)
        progress(f"sandbox: {sandbox}; assignments: {', '.join(sources)}")
    total, running, failed = len(waiting), {}, {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                key = waiting.pop(0)
                pid = _start(key, *work[key], folder, secret, course)
                running[pid] = key, time.monotonic() + course.budget + SLACK
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid in running:
                key, _ = running.pop(pid)
                if not (folder / f"{key}.json").exists():
                    code = os.waitstatus_to_exitcode(status)
                    failed.setdefault(key, f"the grader ended with status {code}")
                done = total - len(waiting) - len(running)
                if done % 25 == 0 or done == total:
                    progress(f"{done} of {total}")
            elif not pid:
                time.sleep(0.02)
            for pid, (key, deadline) in running.items():
                if time.monotonic() > deadline:
                    failed[key] = "the grader took too long"
                    _kill(pid)
    finally:
        for pid in running:
            _kill(pid)
            os.waitpid(pid, 0)
    return failed


def _kill(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)


def _start(key, source, data, folder, secret, course):
    """Start a process that grades one submission and writes its record."""
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        # if the run is killed, this process ends with it, and the lock is free again
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            report = grade_one(source, data, secret, course)
            if report["complete"]:
                text = json.dumps(report, indent=1)
                if secret in text:
                    raise ValueError("the secret is in a report")
                write(folder / f"{key}.json", text + "\n")
                status = 0
            else:
                print(f"incomplete: {report['message']}", file=sys.stderr)
    except BaseException:  # noqa: BLE001 (the process must end here)
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def read_record(folder, key):
    """Return the report of a key, or None."""
    try:
        return json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
