"""`python -m exercises ranks`: assignment 16 on processes that talk through MPI."""

import subprocess
import sys

import pytest

from exercises.source import find
from minitorch.distributed import is_mpi_available

pytestmark = pytest.mark.skipif(
    not is_mpi_available(), reason="needs the distributed extra: pip install -e '.[distributed]'"
)
SOURCE = find("a16_data_parallel")


def train(folder, text, processes):
    """Run the command on a file with this text; return its exit status and what it printed."""
    path = folder / "answer.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "exercises", "ranks", str(processes), "--file", str(path)],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("processes", [1, 3])
def test_the_solution_gives_the_weights_of_one_process(tmp_path, processes):
    status, printed = train(tmp_path, SOURCE.solution(), processes)
    assert status == 0
    assert f"{processes} processes: the weights differ from these by at most" in printed


def test_a_sum_instead_of_an_average_gives_other_weights(tmp_path):
    status, printed = train(tmp_path, SOURCE.wrong_answer("sum_for_average"), 2)
    assert status != 0
    assert "2 processes" in printed


def test_a_stub_ends_all_processes(tmp_path):
    status, printed = train(tmp_path, SOURCE.stub(), 2)
    assert status != 0
    assert "processes:" not in printed
