"""The programs in examples/ print the same numbers under PyTorch and under ``minitorch run``."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}

# short sizes: a few steps show as much as many
PROGRAMS = {
    "char_transformer": ["--steps", "10"],
    "dcgan": ["--steps", "6"],
    "gcn": ["--epochs", "20"],
    "hessian": ["--steps", "20", "--iterations", "20"],
    "maml": ["--iterations", "10"],
    "mnist_cnn": ["--epochs", "1", "--images", "320"],
    "neural_ode": ["--iterations", "8"],
    "reinforce": ["--episodes", "6"],
    "vae": ["--epochs", "2", "--images", "256"],
    "word_lstm": ["--epochs", "3"],
}

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")


def run(*command):
    done = subprocess.run(
        [sys.executable, *command], env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_run_here():
    assert sorted(PROGRAMS) == sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_print_the_same(name):
    pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
    program = [str(ROOT / "examples" / f"{name}.py"), *PROGRAMS[name]]
    if name == "reinforce" and importlib.util.find_spec("minitorch.distributions") is None:
        pytest.skip("needs distributions")
    theirs = run(*program)
    ours = run("-m", "minitorch", "run", *program)
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [float(number) for number in NUMBER.findall(theirs)]
    assert numbers
    assert [float(number) for number in NUMBER.findall(ours)] == pytest.approx(
        numbers, rel=1e-4, abs=1e-4
    )
