"""Every assignment keeps its own promises: see `exercises.author.check`."""

import pytest

from exercises.author import check, rules
from exercises.scenario import scenarios_of
from exercises.source import all_sources

SOURCES = all_sources()


@pytest.mark.parametrize("name", SOURCES)
def test_the_author_s_check_finds_no_fault(name):
    assert check(SOURCES[name]) == []


@pytest.mark.parametrize("name", SOURCES)
def test_there_are_public_and_hidden_scenarios_and_hints_for_every_answer(name):
    source = SOURCES[name]
    hidden = [scenario.hidden for scenario in scenarios_of(rules(source)).values()]
    assert any(hidden)
    assert not all(hidden)
    assert all(answer.hints for answer in source.answers)
    assert len(source.wrong_names()) >= 3


def test_the_sixteen_are_numbered_in_the_order_of_their_files():
    assert [source.about.number for source in SOURCES.values()] == list(range(1, 17))
