"""The programs in examples/distributed print the same under torchrun and under minitorch run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.distributed.ranks import ROOT, environment, needs_mpi

pytestmark = [needs_mpi, pytest.mark.slow]

EXAMPLES = ROOT / "examples" / "distributed"
# short sizes: a few steps show as much as many
PROGRAMS = {
    "image_classifier": ["--epochs", "2", "--images", "256"],
    "toy_model": ["--steps", "10"],
    "transformer_trainer": ["--steps", "8", "--save-every", "4"],
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")


def run(*command, cwd):
    done = subprocess.run(
        command, env=environment(), cwd=cwd, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_program_is_run_here():
    assert sorted(PROGRAMS) == sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_print_the_same(name, tmp_path):
    torchrun = shutil.which("torchrun", path=str(Path(sys.executable).parent))
    if torchrun is None:
        pytest.skip("needs the compat extra: pip install -e '.[compat]'")
    program = [str(EXAMPLES / f"{name}.py"), *PROGRAMS[name]]
    folders = [tmp_path / "theirs", tmp_path / "ours"]
    for folder in folders:
        folder.mkdir()
    options = ["--nproc-per-node", "2"]
    theirs = run(torchrun, "--standalone", *options, *program, cwd=folders[0])
    ours = run(sys.executable, "-m", "minitorch", "run", *options, *program, cwd=folders[1])
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [float(number) for number in NUMBER.findall(theirs)]
    assert len(numbers) >= 4
    assert [float(number) for number in NUMBER.findall(ours)] == pytest.approx(
        numbers, rel=1e-4, abs=1e-4
    )
