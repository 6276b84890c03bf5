"""The programs in examples/distributed print the same under torchrun and under minitorch run."""

import re

import pytest

from tests.distributed.ranks import ROOT, needs_mpi, run

pytestmark = [needs_mpi, pytest.mark.slow]

EXAMPLES = ROOT / "examples" / "distributed"
# short sizes: a few steps show as much as many
PROGRAMS = {
    "image_classifier": ["--epochs", "2", "--images", "256"],
    "toy_model": ["--steps", "10"],
    "transformer_trainer": ["--steps", "8", "--save-every", "4"],
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")


def test_every_program_is_run_here():
    assert sorted(PROGRAMS) == sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_print_the_same(name, tmp_path):
    pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
    folder = tmp_path if name == "transformer_trainer" else None
    ours, theirs = (
        run(EXAMPLES / f"{name}.py", 2, *PROGRAMS[name], library=library, folder=folder)
        for library in ("minitorch", "torch")
    )
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [float(number) for number in NUMBER.findall(theirs)]
    assert len(numbers) >= 4
    assert [float(number) for number in NUMBER.findall(ours)] == pytest.approx(
        numbers, rel=1e-4, abs=1e-4
    )
