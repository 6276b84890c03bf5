"""Running a program on several ranks, with minitorch under mpiexec or with PyTorch's Gloo."""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
# the first line of a job that failed is far above mpiexec's own report
LAST_LINES = 60


def mpiexec():
    """Return the path of the mpiexec beside this Python, or of the first one on PATH, or None."""
    beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent))
    return beside or shutil.which("mpiexec")


needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or mpiexec() is None,
    reason="needs mpi4py and mpiexec: pip install -e '.[distributed]'",
)


def environment(**variables):
    """Return the environment of a rank: this one, with the checkout first on the path."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", **variables}


def run_with_minitorch(count, program, *arguments, timeout=120, check=True):
    """Run a program on some ranks, where ``import torch`` means minitorch."""
    command = [mpiexec()]
    if os.geteuid() == 0:
        command.append("--allow-run-as-root")
    command += ["--oversubscribe", "--bind-to", "none", "-n", str(count), sys.executable]
    command += ["-m", "minitorch", "run", str(PROGRAMS / program), *map(str, arguments)]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=timeout, check=False
    )
    if check:
        text = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        assert done.returncode == 0, text
    return done


def run_with_gloo(count, program, *arguments, timeout=180):
    """Run a program on some ranks with PyTorch, as torchrun does."""
    pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, str(PROGRAMS / program), *map(str, arguments)]
    jobs = [
        subprocess.Popen(
            command,
            env=environment(
                RANK=str(rank),
                LOCAL_RANK=str(rank),
                WORLD_SIZE=str(count),
                MASTER_ADDR="127.0.0.1",
                MASTER_PORT=str(port),
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(count)
    ]
    try:
        for job in jobs:
            text, _ = job.communicate(timeout=timeout)
            assert job.returncode == 0, text
    finally:
        for job in jobs:
            job.kill()


def results(folder, name):
    """Return what a program has written as JSON."""
    return json.loads(Path(folder, name).read_text(encoding="utf-8"))
