"""minitorch runs on the engine that a student writes."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ENGINE = str(TESTS.parent / "exercises" / "assignments" / "a11_run_backward.py")
LISTED = tomllib.loads((TESTS / "any_engine.toml").read_text())


def run(*command):
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_marked(*names):
    """Run some files of marked tests on the engine, and return how many have passed."""
    files = [str(TESTS / "autograd" / name) for name in names]
    options = ["-m", "any_engine", "--engine", ENGINE, "-q", "-p", "no:cacheprovider"]
    report = run("-m", "pytest", *options, "-o", "addopts=--import-mode=importlib", *files)
    return int(re.search(r"(\d+) passed", report)[1])


def test_a_sample_of_the_marked_tests_passes():
    names = "engine_behaviour", "reentrant", "roots", "node_hooks"
    assert run_marked(*(f"test_{name}.py" for name in names)) > 200


def test_the_engine_of_the_file_is_the_one_that_runs(tmp_path):
    with open(ENGINE) as file:
        broken = file.read().replace("self.dependencies[node] -= 1", "self.dependencies[node] -= 2")
    (tmp_path / "engine.py").write_text(broken)
    program = "import sys; from exercises.engines import plug_in; plug_in(sys.argv[1])\n"
    program += "import minitorch; x = minitorch.ones(2, requires_grad=True)\n"
    program += "(x * x).sum().backward(); print(x.grad)"
    assert run("-c", program, ENGINE) == "tensor([2., 2.])\n"
    assert run("-c", program, str(tmp_path / "engine.py")) == "None\n"


def test_a_transformer_learns_on_the_engine():
    program = "import sys; from exercises.engines import plug_in; plug_in(sys.argv.pop(1))\n"
    program += "from minitorch.__main__ import main; sys.exit(main())"
    example = str(TESTS.parent / "examples" / "char_transformer.py")
    printed = run("-c", program, ENGINE, "run", example, "--steps", "31")
    losses = [float(loss) for loss in re.findall(r"loss (\d+\.\d+)", printed)]
    assert losses[0] > 3 and losses[-1] < 2


@pytest.mark.parametrize("path", LISTED["files"])
def test_the_list_names_tests_that_exist(path):
    code = (TESTS / path).read_text()
    for group in LISTED["others"]:
        for file, name in (test.split("::", 1) for test in group["tests"]):
            assert file in LISTED["files"]
            assert file != path or f"def {name.partition('[')[0]}(" in code
