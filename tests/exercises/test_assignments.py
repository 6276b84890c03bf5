"""Every assignment keeps its own promises: see `exercises.author.check`."""

import os

import pytest

import minitorch
from exercises.author import check, rules
from exercises.forks import load
from exercises.scenario import scenarios_of
from exercises.source import all_sources, answer_numbers

SOURCES = all_sources()


ALL_MISTAKES = "MINITORCH_ALL_MISTAKES" in os.environ  # the wrong answers take minutes
WITH_MISTAKES = SOURCES if ALL_MISTAKES else ("a04_value", "a07_engine")


@pytest.mark.parametrize("name", SOURCES)
def test_the_author_s_check_finds_no_fault(name):
    assert check(SOURCES[name], mistakes=name in WITH_MISTAKES) == []


@pytest.mark.parametrize("name", SOURCES)
def test_there_are_public_and_hidden_scenarios_and_hints_for_every_answer(name):
    source = SOURCES[name]
    hidden = [scenario.hidden for scenario in scenarios_of(rules(source)).values()]
    assert any(hidden)
    assert not all(hidden)
    assert all(answer.hints for answer in source.answers)
    assert len(source.wrong_names()) >= 3


def test_an_assignment_has_the_number_of_its_file():
    numbers = {name: f"a{source.about.number:02}_" for name, source in SOURCES.items()}
    assert all(name.startswith(number) for name, number in numbers.items())


@pytest.mark.parametrize("name", SOURCES)
def test_mutants_change_the_lines_of_the_answers(name):
    source = SOURCES[name]
    text = source.solution()
    changed = [text.splitlines()[number - 1] for number in sorted(answer_numbers(text))]
    answers = [line for answer in source.answers for line in answer.solution]
    assert changed[: len(answers)] == answers
    assert all(line.startswith("#") for line in changed[len(answers) :])


def test_saved_tensors_can_wait_in_a_real_folder(tmp_path):
    piece = load(SOURCES["a06_saved_tensors"].solution(), "a06_saved_tensors")
    disk = piece.Folder(tmp_path / "saved")
    hooks = minitorch.autograd.graph.saved_tensors_hooks
    x = minitorch.full((1024,), 3.0, dtype=minitorch.float64, requires_grad=True)
    with hooks(lambda tensor: piece.pack(tensor, disk), piece.unpack):
        y = ((x * 2) * (x + 1)).sum()
    assert len(list((tmp_path / "saved").iterdir())) == 2
    y.backward()
    assert x.grad[0] == 14
    del y
    assert not list((tmp_path / "saved").iterdir())
