"""Build an answer in Cython, in a jail of its own.

The process gets one text on its standard input, and answers with a library or the first mistake
(see `frames`). No code of the answer runs here: it is parsed, translated and compiled. The walls
are for a text that leads a compiler astray. They are wider than those around a worker's child,
since a compiler is several programs that write files:

- Landlock allows running what is in /usr, reading Python's headers, Cython and the library, and
  writing into one empty folder;
- a seccomp filter denies sockets, tracing, mounting and the like;
- limits for processor time, memory, processes and the size of a file.
"""

import importlib
import os
import resource
import signal
import sys
import sysconfig
import tempfile
from pathlib import Path

from exercises.build_pyx import outcome_of, parent_of_minitorch
from exercises.grader.inside import landlock, seccomp
from exercises.grader.inside.frames import receive, send
from exercises.grader.inside.libc import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    become,
    prctl,
)
from exercises.grader.inside.seal import lower
from exercises.source import FILE

MEMORY = 1536 << 20  # bytes of address space of each program
LARGEST_FILE = 64 << 20
PRELOADED = "Cython.Compiler.Main Cython.Compiler.Pipeline Cython.Compiler.ModuleNode".split()


def main(options):
    """Build one text."""
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    header, text = receive(lambda count: os.read(0, count))
    for name in PRELOADED:
        importlib.import_module(name)
    os.dup2(null, 2)  # what is written there before is a fault of the grader
    folder = options["folder"]
    if folder is None:  # in the jail's own /tmp
        folder = tempfile.mkdtemp()
        os.chmod(folder, 0o777)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    _close(options["user"], folder, header["seconds"])
    send(answers, *_build(Path(folder), text.decode(), header["original"]))


def _build(folder, text, original):
    try:
        if original is not None:  # for the line of a mistake between two answers
            compile(original, "<original>", "exec", dont_inherit=True)
    except SyntaxError as error:
        message = f"SyntaxError: {error.msg}"
        return {"message": message, "line": error.lineno, "original": True}, b""
    except (ValueError, RecursionError, MemoryError):
        pass  # `check` says so
    (folder / FILE).write_text(text, encoding="utf-8")
    message, line = outcome_of(folder)
    data = b"" if message else (folder / "piece.so").read_bytes()
    return {"message": message, "line": line, "original": False}, data


def _close(user, folder, seconds):
    """Take away from this process what compilers do not need."""
    rules = landlock.ruleset(_readable(), _runnable(), [folder, os.devnull])
    if user is not None:
        become(user, for_programs=True)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE, 0)
    landlock.restrict(rules)
    os.close(rules)
    for limit, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_NPROC, 512),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        lower(limit, value)
    seccomp.apply(seccomp.program_for_compilers())


def _readable():
    for key in ("stdlib", "platstdlib"):
        folder = sysconfig.get_path(key)
        for name in os.listdir(folder):
            if name not in ("site-packages", "dist-packages"):
                yield os.path.join(folder, name)
    yield from (sysconfig.get_path(key) for key in ("include", "platinclude"))
    yield os.path.dirname(sys.modules["Cython"].__file__)
    yield parent_of_minitorch() / "minitorch"
    yield from ("/etc/ld.so.cache", "/etc/alternatives")


def _runnable():
    return ("/usr", "/lib", "/lib64", "/bin")
