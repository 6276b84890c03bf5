"""The grader gives points to answers that are right, and a message to files that cannot run."""

import os
import types

import pytest

from exercises.grader import GraderError, grade, grading, jail
from exercises.grader.decode import Forged, Shown, decode
from exercises.grader.judge import (
    TOO_LONG,
    Right,
    first_difference,
    is_right,
    is_slow,
    short,
    verdict,
)
from exercises.grader.key import make_key, run_scenario
from exercises.grader.submission import Rejected, read
from exercises.grader.worker import Worker
from exercises.report import Report
from exercises.scenario import Scenario
from exercises.source import DamagedMarks, Source, find, splice

SANDBOXES = [name for name in ("bwrap", "user") if jail.why_not(name) is None]

TOY = '''
"""Double a number."""


def double(x):
    # <answer double>
    # hint: Two of them.
    return x + x
    # <wrong triples>
    #| return 3 * x
    # </answer>


# <tests>
import contextlib
import os

from exercises.scenario import scenario

ABOUT = {
    "number": 1,
    "title": "Double",
    "part": "Tensors",
    "goal": "Double a number.",
    "reading": ["learn/zero/graph"],
    "difficulty": 1,
    "importance": 1,
    "hours": 1,
}


def install(piece):
    return contextlib.nullcontext()


def retire():
    pass


@scenario(points=40, idea="Two of them.")
def an_integer(torch, piece, draw):
    yield "double", piece.double(draw.integer(1, 10**6))


@scenario(points=20, idea="Quickly.", cost=3)
def a_hundred_thousand(torch, piece, draw):
    k = draw.integer(2, 10**6)
    for _ in range(100_000):
        result = piece.double(k)
    yield "double", result
# </tests>


# <hidden>
@scenario(points=40, idea="Floats, too.", hidden=True)
def a_secret_float(torch, piece, draw):
    yield "a label that nobody may see", piece.double(draw.integer(1, 10**6) / 64)


MISTAKES = {"triples": "That is three times the number."}
# </hidden>
'''


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    path = tmp_path_factory.mktemp("toy") / "a01_double.py"
    path.write_text(TOY)
    return Source(path)


@pytest.fixture(scope="module", params=["bwrap", "user"])
def sandbox(request):
    reason = jail.why_not(request.param)
    if reason is not None:
        pytest.skip(f"the sandbox {request.param} does not work here: {reason}")
    return request.param


@pytest.fixture(scope="module")
def graded(sandbox, toy, tmp_path_factory):
    """Return a function that grades a text; all use one worker, to save time."""
    key = make_key(toy, "secret", sandbox)
    path = tmp_path_factory.mktemp("student") / "a01_double.py"
    with Worker(sandbox, key.tests) as worker:

        def run(text):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            return grading.grade_in(worker, toy, path, key)

        yield run


def answer(toy, body):
    return toy.stub().replace('raise NotImplementedError("double is yours to write")', body)


def test_the_solution_gets_everything(graded, toy, sandbox):
    report = graded(toy.solution())
    assert report.score == report.total == 100
    assert report.complete and report.message is None and report.diagnosis is None
    assert report.sandbox == sandbox
    assert len(report.sha256) == 64
    assert [result.status for result in report.results] == ["passed"] * 3
    assert Report.from_json(report.to_json()) == report


def test_a_wrong_answer_gets_its_diagnosis(graded, toy):
    report = graded(toy.wrong_answer("triples"))
    assert report.score == 0
    assert report.diagnosis == "That is three times the number."
    first, _, hidden = report.results
    assert first.expected.startswith("double = ") and first.got.startswith("double = ")
    assert hidden.expected is hidden.got is hidden.error is hidden.line is None


def test_another_wrong_answer_gets_no_diagnosis(graded, toy):
    report = graded(answer(toy, "return 4 * x"))
    assert report.score == 0 and report.diagnosis is None


def test_an_answer_that_is_right_for_integers_gets_part_of_the_points(graded, toy):
    report = graded(answer(toy, "return 2 * int(x)"))
    assert report.score == 60


def test_a_slow_answer_loses_the_scenario_with_a_cost(graded, toy):
    report = graded(answer(toy, "return sum([x, x, *range(0)]) + sum(0 for _ in range(500))"))
    assert report.score == 80
    slow = report.results[1]
    assert (slow.status, slow.error, slow.got) == ("timeout", TOO_LONG, None)


def test_a_scenario_with_a_baseline_is_compared_with_it(sandbox, tmp_path):
    slow = "lambda x: 2 * x + sum(0 for _ in range(60))"
    text = TOY.replace("cost=3)", "cost=0.5, baseline=True)").replace(
        "def retire():",
        f"def baseline():\n    return types.SimpleNamespace(double={slow})\n\n\ndef retire():",
    )
    source = tmp_path / "a01_double.py"
    source.write_text(text.replace("import os\n", "import os\nimport types\n"))
    source = Source(source)
    path = tmp_path / "submission.py"
    for body, score in (("return x + x", 100), ("return 2 * x + sum(0 for _ in range(60))", 80)):
        path.write_text(answer(source, body))
        report = grade(source, path, secret="secret", sandbox=sandbox)
        assert report.score == score, report
    slow = report.results[1]
    assert slow.status == "timeout"


def test_a_slow_answer_is_judged_alike_whether_it_was_stopped_or_not():
    right = Right([["x", 1.0]], 0.1)
    timed = Scenario(None, 1, "", cost=2)
    stopped, ended = Shown(error=TOO_LONG), Shown(values=[["x", 1.0]], text='[["x", 1.0]]')
    cases = [(stopped, 5.0), (ended, 5.0)]
    assert [is_slow(timed, shown, cpu, right) for shown, cpu in cases] == [True, True]
    assert len({verdict(timed, *case, right).token for case in cases}) == 1
    assert not is_slow(timed, Shown(values=[["x", 2.0]]), 5.0, right)  # wrong, too
    assert not is_slow(timed, ended, 0.1, right)
    assert not is_slow(Scenario(None, 1, ""), ended, 5.0, right)  # without a cost


@pytest.mark.parametrize(
    "seconds,values,runs",
    [
        (0.9, [["x", 1.0]], 1),
        (1.2, [["x", 1.0]], 6),
        (1.8, [["x", 1.0]], 3),
        (3.5, [["x", 1.0]], 1),
        (0.9, [["x", 2.0]], 1),
        (9.0, None, 1),
    ],
)
def test_a_scenario_is_repeated_only_if_that_can_change_the_verdict(seconds, values, runs):
    timed = Scenario(lambda: None, 1, "", cost=0.5, baseline=True)
    tasks = []

    class Worker:
        def run(self, name, text, *_, **__):
            tasks.append(text)
            if text is None:
                return "ended", Shown(values=[["x", 1.0]]), 2.0
            return "ended", Shown(values=values, error="none"), seconds

    key = types.SimpleNamespace(seeds={"<lambda>": 1}, right={"<lambda>": Right([["x", 1.0]], 0.1)})
    _, shown, cpu, right, _ = run_scenario(key, Worker(), timed, "text", 5)
    assert (shown.values, cpu) == (values, seconds)
    assert tasks.count("text") == runs
    decided = values == [["x", 1.0]]  # else the baseline does not have to run
    assert tasks.count(None) == runs * decided
    assert is_right(timed, shown, cpu, right) == (decided and seconds <= 1)


def test_an_endless_loop_in_one_scenario_costs_only_that_one(graded, toy):
    text = answer(toy, "while isinstance(x, float):\n        pass\n    return 2 * x")
    report = graded(text)
    assert [result.status for result in report.results] == ["passed", "passed", "timeout"]


def test_an_exception_is_reported_with_the_students_line(graded, toy):
    text = "# a comment of mine\n# and another\n" + answer(toy, "return 1 / 0")
    report = graded(text)
    assert report.score == 0
    assert report.results[0].error == "ZeroDivisionError: division by zero"
    assert text.splitlines()[report.results[0].line - 1].strip() == "return 1 / 0"


def test_helpers_and_modules_of_python_can_be_used(graded, toy):
    text = answer(toy, "return twice(x)").replace(
        "# --- yours: helpers\n",
        "# --- yours: helpers\nimport functools, statistics\n"
        "from collections import deque\n"
        "def twice(x):\n    return functools.reduce(lambda a, b: a + b, [x, x])\n",
    )
    assert graded(text).score >= 80


def test_code_outside_the_marks_has_no_effect(graded, toy):
    report = graded(toy.solution() + "\nraise ValueError\n")
    assert report.score == 100


@pytest.mark.parametrize(
    "text,message",
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        (b"x = '\xe9'\n", "line 1: this is not UTF-8"),
        ("x = 1\ny = '\0'\n", "line 2: there is a NUL character"),
        ("x" * 300_000, "larger than 256 KB"),
        ("def double(x):\n    return 2 * x\n", "'# --- yours: double' is missing"),
    ],
)
def test_a_file_that_is_no_submission_gets_a_message(graded, text, message):
    report = graded(text)
    assert report.score == 0 and report.complete
    assert message in report.message
    assert "Traceback" not in report.message


def test_the_stub_gets_a_message(graded, toy):
    report = graded(toy.stub())
    assert report.score == 0 and report.message == "nothing has been written yet"


@pytest.mark.parametrize(
    "body",
    ["re turn x", "return (x", '"""', "return x\n  y", "return " + "(" * 10_000, "x = '\\N{no}'"],
)
def test_a_syntax_error_is_shown_with_the_students_line(graded, toy, body):
    text = "# mine\n" + answer(toy, body)
    report = graded(text)
    assert report.score == 0
    assert "a01_double.py, line " in report.message and "Traceback" not in report.message


def test_a_missing_file_and_others_that_are_no_files_get_a_message(toy, tmp_path):
    if not SANDBOXES:
        pytest.skip("no sandbox works here")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(toy.path)
    os.mkfifo(tmp_path / "pipe")
    for name, message in {
        "missing": "cannot be read",
        "folder": "not a plain file",
        "link": "symbolic link",
        "pipe": "not a plain file",
    }.items():
        with pytest.raises(Rejected, match=message):
            read(tmp_path / name)
    report = grade(toy, tmp_path / "missing", secret="secret", sandbox=SANDBOXES[-1])
    assert report.score == 0 and report.sha256 == "" and "cannot be read" in report.message


def test_hidden_tests_are_not_in_the_process_that_shows_values(toy, sandbox, tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "CHECKED", False)
    path = tmp_path / "a01_double.py"
    path.write_text(
        answer(
            toy,
            "import gc\n"
            "    return [o for o in gc.get_objects() if isinstance(o, dict)\n"
            "            and 'a_secret_float' in o] or 'nothing found'",
        )
    )
    report = grade(toy, path, secret="secret", sandbox=sandbox)
    assert report.results[0].got == "double = nothing found"
    assert "nobody may see" not in report.to_json()


def test_an_assignment_without_scenarios_is_an_error(toy, tmp_path, sandbox):
    begin, end = TOY.index("@scenario(points=40"), TOY.index("# </tests>")
    text = TOY[:begin] + TOY[end:]
    begin, end = text.index("@scenario("), text.index("MISTAKES")
    path = tmp_path / "a01_double.py"
    path.write_text(text[:begin] + text[end:])
    with pytest.raises(GraderError, match="no scenarios"):
        grade(Source(path), path, secret="secret", sandbox=sandbox)


def test_a_solution_that_fails_is_an_error(tmp_path, sandbox):
    path = tmp_path / "a01_double.py"
    path.write_text(TOY.replace("return x + x", "raise ValueError"))
    with pytest.raises(GraderError, match="the solution fails an_integer"):
        grade(Source(path), path, secret="secret", sandbox=sandbox)


def test_a_sandbox_that_does_not_work_is_an_error():
    with pytest.raises(GraderError, match="no sandbox works here"):
        jail.choose("none of them")


def test_a_worker_that_dies_is_started_again(toy, sandbox):
    key = make_key(toy, "secret", sandbox)
    with Worker(sandbox, key.tests) as worker:
        arguments = "an_integer", toy.solution(), 1
        assert worker.run(*arguments, seconds=5)[0] == "ended"
        worker.process.kill()
        assert worker.run(*arguments, seconds=5)[0] == "killed"
        assert worker.run(*arguments, seconds=5)[0] == "ended"


# ---- splicing


def test_splicing_keeps_the_lines_of_the_submission(toy):
    text = "\n\n" + answer(toy, "return (\n        x + x\n    )")
    spliced = splice(toy, text)
    lines, own = spliced.text.splitlines(), text.splitlines()
    for number, line in enumerate(lines, 1):
        if (origin := spliced.line(number)) is not None:
            assert own[origin - 1] == line
    assert any(spliced.line(n) for n in range(1, len(lines) + 1))


@pytest.mark.parametrize(
    "damage,message",
    [
        (lambda t: t.replace("# --- yours: double", ""), "closes nothing"),
        (lambda t: t.replace("    # --- end", "", 1), "is missing before this line"),
        (lambda t: t.rstrip().removesuffix("# --- end"), "is missing after"),
        (lambda t: t + "# --- yours: double\n# --- end\n", "is there twice"),
    ],
)
def test_damaged_marks_are_an_error(toy, damage, message):
    with pytest.raises(DamagedMarks, match=message):
        splice(toy, damage(toy.solution()))


def test_every_source_splices_its_own_solution():
    source = find(4)
    assert splice(source, source.solution()).text == source.solution()
    assert splice(source, source.solution().replace("\n", "\r\n")).text == source.solution()
    assert splice(source, source.stub()).unchanged


# ---- decoding


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        b'{"values": 1}',
        b'{"values": [[1, 2]]}',
        b'{"values": [["a", 1, 2]]}',
        b'{"values": [], "error": 1}',
        b'{"values": [], "values": []}',
        b'{"values": [["a", NaN]]}',
        b'{"values": [["a", {"b": 1, "b": 1}]]}',
        b'{"values": [["a", ' + b"9" * 10_000 + b"]]}",
        b'{"values": [["a", ' + b"[" * 100 + b"]" * 100 + b"]]}",
        b'{"values": [["a", ' + b"[" * 10**5 + b"]" * 10**5 + b"]]}",
        b'{"error": ["a", "b", 1.5, true]}',
        b'{"error": ["a", "b", 1, 1]}',
        b'{"error": ["a"]}',
    ],
)
def test_what_has_not_the_form_of_a_result_is_forged(data):
    with pytest.raises(Forged):
        decode(data)


def test_texts_are_cleaned():
    shown = decode(b'{"error": ["E", "\\u001b[31m\\ud800' + b"x" * 1000 + b'", 3, false]}')
    assert "\x1b" not in shown.error and len(shown.error) <= 300
    shown.error.encode()


def test_of_long_values_the_first_part_that_differs_is_shown():
    rows = [[k + column / 3 for column in range(5)] for k in range(9)]
    wrong = [list(row) for row in rows]
    wrong[7][2] = 0.0
    scenario = Scenario(None, 1, "")
    shown = first_difference(Shown([["c", wrong]]), 0.0, Right([["c", rows]], 0.0), scenario)
    assert shown == (f"c, [7][2] = {rows[7][2]}", "c, [7][2] = 0.0")
    tensors = [{"tensor": "float64", "shape": [9, 5], "data": data} for data in (rows, wrong)]
    shown = first_difference(
        Shown([["c", tensors[1]]]), 0.0, Right([["c", tensors[0]]], 0.0), scenario
    )
    assert shown == (f"c, [7][2] = {rows[7][2]}", "c, [7][2] = 0.0")


@pytest.mark.parametrize(
    "value,text",
    [
        ({"dict": [["it is", "a copy"], ["at", [1, 2]]]}, "it is: a copy, at: [1, 2]"),
        ({"dict": 3}, "{'dict': 3}"),
        ({"dict": [[1]]}, "{'dict': [[1]]}"),
        ({"float": "nan"}, "nan"),
        ({"tensor": "int64", "shape": [2], "data": [1, 2]}, "int64 [2] [1, 2]"),
        (["a", None], "['a', None]"),
        ([[]], "[[]]"),
        pytest.param(10**5000, "a very large integer", id="large"),
    ],
)
def test_values_are_shown_as_short_texts(value, text):
    assert short(value) == text
