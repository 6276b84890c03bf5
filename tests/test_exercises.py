"""Assignments: what is built from a source, and that grading distinguishes right from wrong."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from exercises.assignment import Assignment, SourceError, all_assignments, find
from exercises.grading import TooSlow, behaviours, check, grade, load_text, run_one

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = all_assignments()


@pytest.fixture(params=ASSIGNMENTS)
def assignment(request):
    return ASSIGNMENTS[request.param]


def test_there_is_the_assignment_about_the_engine():
    assert "engine" in ASSIGNMENTS


def test_an_assignment_is_all_it_has_to_be(assignment):
    # the stub gets nothing, the solution everything, each wrong answer is taken for what it is
    assert check(assignment) == []


def test_at_least_three_wrong_answers_are_planted(assignment):
    assert len(assignment.mistakes()) >= 3
    fails = [
        frozenset(grade(assignment, load_text(assignment.wrong_answer(mistake))).errors)
        for mistake in assignment.mistakes()
    ]
    assert all(fails)
    assert len(set(fails)) == len(fails)


def test_a_wrong_answer_gets_its_hint_and_some_of_the_points(assignment):
    for mistake in assignment.mistakes():
        report = grade(assignment, load_text(assignment.wrong_answer(mistake)))
        assert 0 < report.score < report.total
        assert assignment.misconceptions[mistake]["hint"] in str(report)


def test_every_answer_has_hints_and_is_missing_from_the_stub(assignment):
    stub, hints = assignment.stub(), assignment.hints()
    assert assignment.answers
    for answer in assignment.answers:
        assert answer.hints
        assert f"## `{answer.name}`" in hints
        assert "\n".join(answer.solution) not in stub
        assert "\n".join(answer.solution) in assignment.solution()


def test_nothing_built_shows_marks_or_grading(assignment):
    texts = [assignment.stub(), assignment.solution()]
    texts += [assignment.wrong_answer(mistake) for mistake in assignment.mistakes()]
    for text in texts:
        for mark in ("<answer", "</answer>", "<wrong", "#|", "# hint:", "<grading>", "POINTS"):
            assert mark not in text


def test_installing_an_answer_leaves_the_library_as_it_was(assignment):
    engine = minitorch.autograd.Variable._execution_engine
    grade(assignment, load_text(assignment.stub()))
    assert minitorch.autograd.Variable._execution_engine is engine


def test_a_behaviour_that_never_ends_is_a_failure(monkeypatch):
    monkeypatch.setattr("exercises.grading.SECONDS_PER_BEHAVIOUR", 0.2)
    assignment = find("engine")
    endless = "\n\ndef compute_dependencies(roots):\n    while True:\n        pass\n"
    answer = load_text(assignment.solution() + endless)
    error = run_one(assignment, answer, "a_chain_multiplies_its_slopes")
    assert isinstance(error, TooSlow)


def test_the_graded_behaviours_are_those_that_guard_the_compiled_engine():
    guard = importlib.import_module("tests.autograd.engine_behaviour")
    assert set(behaviours(find("engine"))) == set(guard.BEHAVIOURS)


class TestCommands:
    def run(self, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "exercises", *map(str, arguments)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

    def test_from_the_stub_to_no_points(self, tmp_path):
        folder = tmp_path / "mine"
        assert self.run("build", "engine", folder).returncode == 0
        assert sorted(path.name for path in folder.iterdir()) == [
            "engine.py",
            "hints.md",
            "test_engine.py",
        ]
        graded = self.run("grade", "engine", folder / "engine.py")
        assert graded.returncode == 1
        assert "0 of 100 points" in graded.stdout

    def test_an_answer_is_not_written_over(self, tmp_path):
        (tmp_path / "engine.py").write_text("mine")
        assert self.run("build", "engine", tmp_path).returncode == 1
        assert (tmp_path / "engine.py").read_text() == "mine"

    def test_the_solution_gets_all_points_and_passes_the_built_tests(self, tmp_path):
        assignment = find("engine")
        (tmp_path / "engine.py").write_text(assignment.solution())
        (tmp_path / "test_engine.py").write_text(assignment.tests())
        graded = self.run("grade", "engine", tmp_path / "engine.py")
        assert graded.returncode == 0
        assert "100 of 100 points" in graded.stdout
        tests = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", tmp_path / "test_engine.py"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert tests.returncode == 0, tests.stdout

    def test_an_unknown_assignment_is_named_with_those_there_are(self):
        refused = self.run("grade", "engin", "x.py")
        assert refused.returncode == 2
        assert "there is no assignment 'engin'; there are: engine" in refused.stderr


@pytest.mark.parametrize(
    "text",
    [
        "# <answer a>\nx = 1\n",
        "# </answer>\n",
        "# <answer a>\nx = 1\n# <answer b>\ny = 1\n# </answer>\n",
        "# <answer a>\nx = 1\n# <wrong w>\nx = 2\n# </answer>\n",
        "# <grading>\nTITLE = ''\n",
    ],
)
def test_marks_that_do_not_fit_are_refused(tmp_path, text):
    (tmp_path / "source.py").write_text(text)
    with pytest.raises(SourceError):
        Assignment(tmp_path)
