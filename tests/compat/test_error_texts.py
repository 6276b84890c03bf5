"""The reasons why no test raises an error of PyTorch's modules are of lines that are there."""

import pytest

pytest.importorskip("coverage", reason="is in the extra compat: pip install -e '.[compat]'")

from tests.compat.error_texts import REASONS, modules, places, reasons


def test_each_reason_is_one_of_those_that_are_explained():
    assert {reason for each in reasons().values() for reason in each.values()} <= REASONS.keys()


@pytest.mark.parametrize("name", reasons())
def test_each_reason_has_its_line(name):
    texts = places(modules()[name]).values()
    without = [key for key in reasons()[name] if not any(text.startswith(key) for text in texts)]
    assert without == []
