"""Starts programs on several ranks, on minitorch and on PyTorch's Gloo."""

import importlib.util
import json
import os
import shutil
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
    """Run a program on several ranks; return the finished process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        environment.pop(name, None)
    module, *options = LAUNCHERS[library]
    return subprocess.run(
        [
            *[sys.executable, "-m", module, *options, "--nproc-per-node", str(ranks)],
            *[str(program), *map(str, arguments)],
        ],
        capture_output=True,
        text=True,
        env=environment,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def results(program, ranks, folder, library="minitorch"):
    """Run a program that writes ``RANK.json`` into a folder; return the contents by rank."""
    folder = folder / library
    folder.mkdir()
    done = start(PROGRAMS / program, ranks, folder, library=library)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(ranks)]


def run(program, ranks, *arguments, library="minitorch", folder=None):
    """Run a program of `PROGRAMS` or another path on several ranks; return what it prints.

    torchrun sometimes does not get its processes together, and then has a second try. What a program
    saves in its ``--folder`` must not be found by the next one, so each try has a new one.
    """
    tries = (120, 240) if library == "torch" else (120,)
    for number, seconds in enumerate(tries):
        own = [] if folder is None else ["--folder", folder / f"{library}{number}"]
        try:
            done = start(
                PROGRAMS / program, ranks, *arguments, *own, library=library, seconds=seconds
            )
            break
        except subprocess.TimeoutExpired:
            if seconds == tries[-1]:
                raise
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def written(folder, name):
    """Return what a program has written to a file as JSON."""
    return json.loads((folder / name).read_text(encoding="utf-8"))
