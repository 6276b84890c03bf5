"""``python -m minitorch trace``: a program's first backward pass, as text, JSON and a picture."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

# the program runs in another folder, and minitorch may be built without being installed
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}

PROGRAM = """
import sys
import minitorch as torch

x = torch.ones(3, requires_grad=True)
for factor in map(float, sys.argv[1:]):
    (x * factor).exp().sum().backward()
    print(x.grad.tolist())
"""


def run(folder, *arguments):
    command = [sys.executable, "-m", "minitorch", "trace", *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
    )


def test_the_program_runs_on_and_the_first_backward_is_written(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = run(tmp_path, "-o", "first", "program.py", "0", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("[") == 2
    text = (tmp_path / "first.txt").read_text()
    assert text.count("apply       ExpBackward0") == 1
    assert "program.py:7, in <module>" in text
    json.loads((tmp_path / "first.json").read_text())
    picture = ElementTree.parse(tmp_path / "first.svg")
    assert "MulBackward0" in "".join(picture.getroot().itertext())


def test_a_page_plays_it_with_the_names_and_values_of_the_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = run(tmp_path, "--html", "-o", "first", "program.py", "2")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "first.html").read_text()
    assert "AccumulateGrad of x" in page and "It uses what it has saved: other = 2" in page
    assert "first.txt, .json, .svg, .html" in done.stdout


def test_torch_is_minitorch_in_the_program(tmp_path):
    program = "import torch\n(torch.ones(2, requires_grad=True) * 2).sum().backward()\nprint(torch.__spec__.name)"
    (tmp_path / "program.py").write_text(program)
    done = run(tmp_path, "-o", "first", "program.py")
    assert done.returncode == 0, done.stderr
    assert "MulBackward0" in (tmp_path / "first.txt").read_text()


def test_a_program_without_a_backward_is_reported(tmp_path):
    (tmp_path / "program.py").write_text("print(1)")
    done = run(tmp_path, "program.py")
    assert done.returncode == 1
    assert "no backward()" in done.stderr


def test_without_a_program_the_demo_takes_one_step(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is missing: pip install -e '.[demo]'")
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "NllLossBackward0" in (tmp_path / "backward.txt").read_text()
