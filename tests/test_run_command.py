"""``python -m minitorch run`` runs a program as ``python`` does, with minitorch as its torch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# the program runs in another folder, and minitorch may be built without being installed
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}

PROGRAM = """
import pickle
import sys

import torch
from torch import nn

import neighbour


class Point:
    pass


if __name__ == "__main__":
    assert torch.__name__ == "torch" and nn is torch.nn
    assert torch.__spec__.name == "minitorch"
    assert type(pickle.loads(pickle.dumps(Point()))) is Point
    print(sys.argv[1:], neighbour.name, __file__ is not None)
    if "exit" in sys.argv:
        sys.exit(3)
    if "fail" in sys.argv:
        raise ValueError("on purpose")
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "neighbour.py").write_text("name = 'next door'\n")
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(PROGRAM)
    return tmp_path


def run(folder, *arguments):
    command = [sys.executable, "-m", "minitorch", "run", *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("what", [["program.py"], ["-m", "program"], ["-m", "package"]])
def test_arguments_path_and_main_are_pythons(folder, what):
    done = run(folder, *what, "-m", "first", "--second")
    assert done.stderr == ""
    assert done.stdout == "['-m', 'first', '--second'] next door True\n"
    assert done.returncode == 0


def test_a_program_elsewhere_finds_its_neighbours(folder):
    done = run(folder.parent, str(folder / "program.py"))
    assert done.stdout == "[] next door True\n"


def test_the_programs_file_is_absolute(folder):
    (folder / "where.py").write_text("import sys\nprint(__file__, sys.argv[0])\n")
    assert run(folder, "where.py").stdout == f"{folder / 'where.py'} where.py\n"


def test_the_exit_status_is_the_programs(folder):
    assert run(folder, "program.py", "exit").returncode == 3


def test_an_error_ends_the_program_with_a_traceback_of_its_own_frames(folder):
    done = run(folder, "program.py", "fail")
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: on purpose\n")
    assert done.stderr.count("File ") == 1


def test_a_program_that_cannot_be_run_is_reported(folder):
    assert "none.py" in run(folder, "none.py").stderr
    assert "none" in run(folder, "-m", "none").stderr
    assert run(folder).returncode == 2
