"""Starts programs on several ranks, on minitorch and on PyTorch's Gloo."""

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = Path(__file__).parent / "programs"
LAUNCHERS = {
    "minitorch": ["minitorch", "run"],
    "torch": ["torch.distributed.run", "--standalone"],
}

wants = [
    name
    for name, found in (
        ("mpi4py", importlib.util.find_spec("mpi4py")),
        (
            "mpiexec",
            shutil.which("mpiexec", path=str(Path(sys.executable).parent))
            or shutil.which("mpiexec"),
        ),
    )
    if not found
]
needs_mpi = pytest.mark.skipif(
    bool(wants), reason=f"missing: {', '.join(wants)} (extra distributed)"
)


def start(program, ranks, *arguments, library="minitorch", seconds=120):
    """Run a program on several ranks; return the finished process.

    If it takes longer, the launcher and the ranks that it has started are killed.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        environment.pop(name, None)
    module, *options = LAUNCHERS[library]
    command = [sys.executable, "-m", module, *options, "--nproc-per-node", str(ranks)]
    with subprocess.Popen(
        [*command, str(program), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as launcher:
        try:
            out, errors = launcher.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            for process in family(launcher.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(launcher.args, launcher.returncode, out, errors)


def family(process):
    """Return the number of a process and those of all that it has started, which may lead sessions."""
    children = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, _, rest = stat.read_text().partition(" (")
            children.setdefault(int(rest.rpartition(") ")[2].split()[1]), []).append(int(number))
    found = [process]
    for parent in found:
        found += children.get(parent, [])
    return found


def results(program, ranks, folder, library="minitorch"):
    """Run a program that writes ``RANK.json`` into a folder; return the contents by rank."""
    folder = folder / library
    folder.mkdir()
    run(program, ranks, folder, library=library)
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(ranks)]


def run(program, ranks, *arguments, library="minitorch", folder=None):
    """Run a program of `PROGRAMS` or another path on several ranks; return what it prints.

    PyTorch's processes sometimes hang or abort when they end, on a busy machine one time in three: a
    thread of Gloo then still needs the interpreter to free what it has sent. So they have four tries.
    What a program saves in its ``--folder`` must not be found by the next try, so each has a new one.
    """
    tries = (60, 60, 120, 240) if library == "torch" else (120,)
    for number, seconds in enumerate(tries):
        own = [] if folder is None else ["--folder", folder / f"{library}{number}"]
        try:
            done = start(
                PROGRAMS / program, ranks, *arguments, *own, library=library, seconds=seconds
            )
            if done.returncode == 0 or number == len(tries) - 1:
                break
        except subprocess.TimeoutExpired:
            if seconds == tries[-1]:
                raise
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def written(folder, name):
    """Return what a program has written to a file as JSON."""
    return json.loads((folder / name).read_text(encoding="utf-8"))
