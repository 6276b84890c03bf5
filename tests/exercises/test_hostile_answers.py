"""No answer in plain Python gets points for what it does not do, in either sandbox."""

import textwrap
import types

import pytest

import minitorch
from exercises import author
from exercises.grader import grading, jail
from exercises.grader.key import make_key
from exercises.grader.worker import Worker
from exercises.source import find
from tests.exercises.hostile.answers import ANSWERS, NAMED

HELPERS = "# --- yours: helpers\n"


@pytest.fixture(scope="module", params=["bwrap", "user"])
def graded(request):
    """Return a function that grades answers and helpers."""
    if (reason := jail.why_not(request.param)) is not None:
        pytest.skip(f"the sandbox {request.param} does not work here: {reason}")

    def grade(number, answers, helpers, path):
        source = find(number)

        def lines(answer):
            given = answers.get(answer.name)
            if given is None:
                return answer.stub()
            return [answer.indent + line for line in given.split("\n")]

        path.write_text(source._text(lines).replace(HELPERS, HELPERS + helpers + "\n"))
        key = make_key(source, "teacher", request.param)
        with Worker(request.param, key.tests, key.language) as worker:
            return grading.grade_in(worker, source, path, key)

    return grade


@pytest.fixture(autouse=True)
def no_diagnosis(monkeypatch):
    monkeypatch.setattr(grading, "diagnose", lambda *_: None)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_lets_others_do_the_work_earns_nothing_for_it(name, graded, tmp_path):
    number, answers, helpers, earned = ANSWERS[name]
    report = graded(number, answers, helpers, tmp_path / "submission.py")
    assert report.complete and report.score == earned, report
    assert "may not use" not in (report.message or "") or "Retired" in report.message


def test_warnings_types_and_names_of_builtins_can_be_used(graded, tmp_path):
    answer = """with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    warnings.warn("slow")
result = math.exp(self.data) * len(seen)
return one(input=Value(result, ((self, result),)))"""
    helpers = """
import warnings

def one(input: Value, kind: type = Value):
    return [x for x, found in zip([input], map(type, [input])) if found is kind][0]
"""
    report = graded(4, {"Value.exp": answer}, helpers, tmp_path / "submission.py")
    assert report.score == 4, report


def test_an_engine_cannot_hide_that_it_keeps_the_nodes(graded, tmp_path):
    answers = {a.name: textwrap.dedent("\n".join(a.solution)) for a in find(7).answers}
    answers["hand_on"] = "keep(edges)\n" + answers["hand_on"]
    helpers = """
KEPT = []

def keep(edges):
    for node, _ in edges:
        if node is not None:
            KEPT.append(node)
            node.metadata.clear()
"""
    report = graded(7, answers, helpers, tmp_path / "submission.py")
    failed = [result.scenario for result in report.results if result.status != "passed"]
    assert failed == ["nothing_of_the_graph_outlives_the_call"], report


def test_the_group_of_ranks_does_not_lead_to_the_library():
    group = author.rules(find(16))["Group"](minitorch)
    assert not any(isinstance(thing, types.ModuleType) for thing in vars(group).values())


@pytest.mark.parametrize("name", NAMED)
def test_a_name_is_rejected_with_its_line(name, graded, tmp_path):
    number, helpers, message = NAMED[name]
    changed = {answer.name: "pass" for answer in find(number).answers}
    report = graded(number, changed, helpers, tmp_path / "submission.py")
    assert report.complete and report.score == 0
    assert message in report.message
    assert all(result.status == "error" for result in report.results)
