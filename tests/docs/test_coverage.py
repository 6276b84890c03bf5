"""The docstrings of the public names: what they have may not get less."""

import json

from tests.docs import coverage


def test_docstrings_lack_no_more_than_before():
    before = json.loads(coverage.NUMBERS.read_text())
    found = coverage.numbers(coverage.collect())
    assert found.keys() >= before.keys()
    fewer = [
        f"{namespace}: {kind} {found[namespace][kind]} of {found[namespace]['names']}, before {number}"
        for namespace, row in before.items()
        for kind, number in row.items()
        if found[namespace][kind] < number
    ]
    assert not fewer, fewer
