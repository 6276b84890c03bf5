"""Start a worker and give it tasks."""

import os
import select
import subprocess
import time

from exercises.grader import GraderError, jail
from exercises.grader.build import build
from exercises.grader.decode import Forged, Shown, decode
from exercises.grader.inside.frames import receive, send
from exercises.grader.judge import TOO_LONG

START = 60  # seconds that importing the library may take, on a slow machine
SLACK = 5  # seconds that the worker may answer late
GUARDED = True  # whether to check names at run time; the tests of the jail switch it off


class Worker:
    """A worker in a jail; it starts at its first task, and again if it has died.

    Parameters
    ----------
    sandbox : str
        The name of the jail (`jail.choose`).
    code : str
        The public scenarios.
    language : {"python", "cython"}
        That of the submissions.
    """

    def __init__(self, sandbox, code, language="python"):
        self.sandbox = sandbox
        self.language = language
        self.code = [code]
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop()

    def add(self, code):
        """Add the code of more scenarios, if it is not there yet."""
        if code not in self.code:
            self.code.append(code)
            if self.process is not None:
                self._send_code(code)

    def run(self, scenario, text, seed=0, *, seconds, retire=True, original=None, check=False):
        """Run one scenario on a submission, or on the baseline if `text` is None.

        A submission in Cython is built before, once; that takes none of the `seconds`. With `check`,
        one in Python is rejected if it uses names that it may not use (`names.check`).

        Returns
        -------
        status : str
            ``ended``, ``timeout`` or ``killed``.
        shown : Shown
        seconds : float
            The processor time.

        Raises
        ------
        GraderError
            If the scenario could not be prepared, or no worker can be started.
        """
        library = b""
        if self.language == "cython" and text is not None:
            library = build(text, self.sandbox, original)
            if isinstance(library, Shown):
                return "ended", library, 0.0
        if self.process is None:
            self._start()
        task = {"scenario": scenario, "text": text, "original": original, "seed": seed}
        task |= {"check": check, "retire": retire, "seconds": seconds, "guard": GUARDED}
        try:
            send(self._in, task, library)
            header, data = self._receive(seconds + SLACK)
        except (OSError, EOFError):
            self._stop()
            return "killed", Shown(error="the process has died"), 0.0
        status, cpu = header["status"], header["cpu"]
        if status == "timeout":
            return status, Shown(error=TOO_LONG), cpu
        if data[:1] == b"?":
            raise GraderError(f"the worker cannot run {scenario}: {data[1:].decode()}")
        if status == "ended":
            try:
                return status, decode(data[1:]), cpu
            except Forged:
                pass
        return "killed", Shown(error="ended without a result"), cpu

    def _start(self):
        self.process = subprocess.Popen(
            jail.command(self.sandbox),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=jail.ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        try:
            self._receive(START)
        except (OSError, EOFError):
            self.process.kill()
            words = self.process.stderr.read().decode(errors="replace").strip()
            self._stop()
            raise GraderError(f"the worker does not start: {words[-1000:]}") from None
        for code in self.code:
            self._send_code(code)

    def _send_code(self, code):
        try:
            send(self._in, {"code": code})
            self._receive(START)
        except (OSError, EOFError):
            self.process.kill()
            words = self.process.stderr.read().decode(errors="replace").strip()
            raise GraderError(f"the code of the scenarios fails: {words[-1000:]}") from None

    def _receive(self, seconds):
        deadline = time.monotonic() + seconds

        def read(count):
            if not select.select([self._out], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the worker does not answer")
            return os.read(self._out, count)

        return receive(read)

    def _stop(self):
        if self.process is None:
            return
        self.process.kill()
        for file in (self.process.stdin, self.process.stdout, self.process.stderr):
            file.close()
        self.process.wait()
        self.process = None
