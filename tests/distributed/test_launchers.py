"""The launchers start what torchrun starts, and MPI is not imported before it is needed."""

import json
import os
import subprocess
import sys

import pytest

from tests.distributed import ranks
from tests.distributed.ranks import PROGRAMS, ROOT, needs_mpi, start


def run(code, **variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


def test_mpi_is_not_imported_before_a_group_is_made():
    done = run(
        "import sys, minitorch\n"
        "assert 'minitorch.distributed' not in sys.modules\n"
        "import minitorch.distributed as dist\n"
        "print(dist.is_available(), dist.is_initialized(), [m for m in sys.modules if 'mpi4py' in m])\n"
        "dist.is_mpi_available()\n"
        "print([m for m in sys.modules if 'mpi4py' in m])\n"
    )
    assert done.stdout == "True False []\n[]\n", done.stderr


def test_without_mpi4py_the_error_names_the_extra():
    done = run(
        "import sys\n"
        "sys.modules['mpi4py'] = None\n"
        "import minitorch.distributed as dist\n"
        "dist.init_process_group('mpi')\n"
    )
    assert 'pip install "minitorch-autograd[distributed]" installs' in done.stderr


@needs_mpi
def test_one_process_needs_no_launcher():
    done = run(
        "import minitorch as torch, minitorch.distributed as dist\n"
        "for again in range(2):\n"
        "    dist.init_process_group('mpi')\n"
        "    x = torch.tensor([3.0])\n"
        "    dist.all_reduce(x)\n"
        "    print(x.item(), dist.get_rank(), dist.get_world_size(), dist.get_backend())\n"
        "    dist.destroy_process_group()\n"
    )
    assert done.stdout == "3.0 0 1 mpi\n" * 2, done.stderr
    assert done.returncode == 0


@needs_mpi
def test_a_world_size_that_is_not_the_job_s_raises():
    done = run(
        "import minitorch.distributed as dist\n"
        "dist.init_process_group('mpi', rank=0, world_size=2)\n"
    )
    assert "world_size is 2, but MPI has started 1 process; start the program with" in done.stderr
    assert done.returncode == 1


@needs_mpi
@pytest.mark.parametrize("module", ["minitorch.distributed.run", "minitorch run"])
def test_a_launcher_sets_the_variables_of_torchrun(tmp_path, monkeypatch, module):
    pytest.importorskip("torch", reason="needs PyTorch")
    monkeypatch.setitem(ranks.LAUNCHERS, "minitorch", module.split())
    found = {}
    for library in ("minitorch", "torch"):
        folder = tmp_path / library
        folder.mkdir()
        done = start(PROGRAMS / "launched.py", 2, folder, "--lr", "0.1", library=library)
        assert done.returncode == 0, done.stderr
        found[library] = [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]
    assert found["minitorch"] == found["torch"]


@needs_mpi
def test_a_launcher_passes_the_exit_status_on(tmp_path):
    assert start(PROGRAMS / "launched.py", 2, tmp_path, "--fail").returncode == 7
