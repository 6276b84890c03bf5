"""Run hostile calls in children: what kills or hangs one is reported by name, and the rest is still tried.

A program of `programs/` imports this module, `run` starts such a program in a process of its own. By hand, with
the same limits::

    python -m tests.hostile.survival junk_arguments 0 1
"""

import mmap
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"


def run(program, *arguments, seconds=120, gigabytes=8):
    """Run a program of `programs/` with bounded memory and time; the lines that it printed.

    Raises
    ------
    AssertionError
        When a signal ended it, or it raised.
    """

    def limit():
        # addresses, not memory: every thread reserves some
        resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(PROGRAMS.parent)]),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    # junk may be taken for the name of a file to write
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(PROGRAMS / f"{program}.py"), *map(str, arguments)],
            cwd=folder,
            env=environment,
            preexec_fn=limit,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    assert done.returncode == 0, (
        f"{program}.py ended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout.splitlines()


class Interrupted(BaseException):
    """Raised after the seconds that a call may take, where Ctrl-C would raise KeyboardInterrupt."""


def survive(calls, seconds=10):
    """Make each call in a child, one after the other; the names of those that kill it or take too long.

    Parameters
    ----------
    calls : list of (str, callable)
        What a call raises is its own business.
    seconds : int
        How long one call may compute. Then it is interrupted, as by Ctrl-C; what cannot be interrupted, or
        waits for something, is killed.
    """
    progress = mmap.mmap(-1, 8)
    culprits = []
    start = 0
    while start < len(calls):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _be_quiet()
            signal.signal(signal.SIGVTALRM, _interrupt)
            for k in range(start, len(calls)):
                progress[:] = k.to_bytes(8, "little")
                try:
                    _limit(seconds)
                    calls[k][1]()
                except BaseException:
                    pass
                _limit(0)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            break
        k = int.from_bytes(progress[:], "little")
        culprits.append(f"{calls[k][0]}: {described(status)}")
        start = k + 1
    return culprits


def _limit(seconds):
    """Interrupt what computes for so many seconds; kill it after twice as many, or when it waits for five minutes."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    signal.setitimer(signal.ITIMER_PROF, 2 * seconds)
    signal.setitimer(signal.ITIMER_REAL, 300 if seconds else 0)


def _interrupt(number, frame):
    raise Interrupted


def described(status):
    """What a wait status says, in words."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return (
            "took too long"
            if number in (signal.SIGPROF, signal.SIGALRM)
            else signal.Signals(number).name
        )
    return f"exit code {os.WEXITSTATUS(status)}"


def _be_quiet():
    """What hostile calls print is noise, and what they read should not wait for a terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def compiled_classes():
    """The static classes of minitorch's compiled modules, each once, by name."""
    import minitorch  # noqa: F401

    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("minitorch") and str(getattr(module, "__file__", "")).endswith(".so"):
            for value in vars(module).values():
                if isinstance(value, type) and not value.__flags__ & 1 << 9:  # no heap type
                    if value.__module__.startswith(("minitorch", "torch")):
                        found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


if __name__ == "__main__":
    print(*run(*sys.argv[1:], seconds=36000), sep="\n")
