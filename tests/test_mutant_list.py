"""The list of `tests/mutants.py` goes with the sources."""

from pathlib import Path

import pytest

from tests.mutant_list import ALL, CORE_TESTS, REBUILT_WITH

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("file", sorted({mutant.file for mutant in ALL}))
def test_each_fragment_occurs_once_in_its_file(file):
    text = (ROOT / "minitorch" / file).read_text()
    counts = {m.old: text.count(m.old) for m in ALL if m.file == file}
    assert counts == dict.fromkeys(counts, 1)


def test_mutants_differ_from_the_source_and_from_each_other():
    assert all(mutant.old != mutant.new for mutant in ALL)
    assert len({mutant.key() for mutant in ALL}) == len(ALL) >= 150


def test_modules_and_tests_that_are_named_exist():
    modules = [module for modules in REBUILT_WITH.values() for module in modules]
    assert all((ROOT / "minitorch" / f"{module}.pyx").exists() for module in modules)
    assert all((ROOT / path).exists() for path in CORE_TESTS)
