"""Every entry of PyTorch's own databases of operators, modules and optimizers, run against minitorch.

Differences are listed in expected_failures.toml; that list only shrinks.
"""

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
pytest.importorskip("expecttest", reason="PyTorch's databases of tests need it")

from tests.compat import expectations  # noqa: E402
from tests.compat.databases import entries, run  # noqa: E402

EXPECTED = expectations.aspects(expectations.read())
ENTRIES = entries()


@pytest.mark.parametrize("entry", ENTRIES)
def test_does_as_pytorch_does(entry):
    found = run(entry)
    expected = EXPECTED.get(entry, set())
    news = {aspect: text for aspect, text in found.items() if aspect not in expected}
    assert not news, f"differs from PyTorch: {news}"
    gone = sorted(expected - set(found))
    assert not gone, f"{gone} of it is right now: python -m tests.compat.update"


def test_only_entries_of_the_databases_are_expected_to_fail():
    assert set(EXPECTED) - set(ENTRIES) == set()
