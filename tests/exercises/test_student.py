"""The student's commands: start, check, watch, hint, reset, progress."""

import json
import os
import resource
import subprocess
import sys
import types
from pathlib import Path

import pytest

from exercises.__main__ import main
from exercises.source import find
from exercises.student import commands, course, show

ROOT = Path(__file__).resolve().parents[2]
SOLUTION = find("value").solution()


@pytest.fixture(autouse=True)
def folder(value, tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path / "mine"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path / "mine"


@pytest.fixture
def started(folder, capsys):
    assert main(["start", "4"]) == 0
    capsys.readouterr()
    return folder / "a04_value.py"


def saved(folder):
    return json.loads((folder / course.PROGRESS).read_text())["assignments"]["a04_value"]


def test_list_shows_every_assignment_under_its_part(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    assert "The graph\n" in shown
    for name in course.names():
        assert course.about(name).title in shown


def test_start_writes_the_stub_and_never_over_a_file(folder, capsys):
    assert main(["start", "value"]) == 0
    path = folder / "a04_value.py"
    assert path.read_text() == find("value").stub()
    path.write_text("mine")
    assert main(["start", "4"]) == 1
    assert "stays as it is" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_next_says_what_to_do_until_everything_is_done(folder, capsys, monkeypatch):
    monkeypatch.setattr(course, "names", lambda: ["a04_value"])
    assert main(["next"]) == 0
    assert "exercises start 4" in capsys.readouterr().out
    main(["start", "4"])
    (folder / "a04_value.py").write_text(SOLUTION)
    assert main(["check"]) == 0
    capsys.readouterr()
    assert main(["next"]) == 0
    assert capsys.readouterr().out == "You have done every assignment.\n"


def test_a_failure_says_what_ran_expected_got_idea_and_page(started, capsys):
    started.write_text(SOLUTION.replace("(self, other.data), (other, self.data)", "(self, 1e9),"))
    assert main(["check", "4"]) == 1
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) <= show.LINES
    for word in ("FAILED", "  ran  ", "  expected  ", "  got  ", "  idea  ", "  page  "):
        assert word in shown
    assert "exercises/assignments/a04_value.py, line " in shown


@pytest.mark.parametrize("options", [[], ["--jail"]], ids=["fork", "jail"])
@pytest.mark.parametrize(
    "right, wrong, said",
    [
        (
            "    task.add_gradient(function, ",
            "    task.add_gradient((function, 0), ",
            "  line      {}: task.add_gradient((function, 0), output_nr, gradient)",
        ),
        (
            "return heapq.heappop(self.entries)[-1]",
            "return heapq.heappop(self.entries)",
            "  in        the given code: return self.buffers.pop(node, ",
        ),
    ],
    ids=["an answer is on the stack", "only given code is"],
)
def test_an_error_in_the_given_code_shows_where_it_came_from(
    folder, capsys, options, right, wrong, said
):
    solution = find("a07").solution()
    number = solution[: solution.index(right)].count("\n") + 1
    main(["start", "7"])
    (folder / "a07_engine.py").write_text(solution.replace(right, wrong))
    status, shown = main(["check", "7", *options]), capsys.readouterr()
    if options and "no sandbox works here" in shown.err:
        pytest.skip(shown.err)
    assert status == 1
    assert said.format(number) in shown.out


def test_what_is_not_written_yet_is_named(started, capsys):
    def lines(answer):
        return answer.stub() if answer.name == "Value.backward" else answer.solution

    started.write_text(find("value")._text(lines))
    assert main(["check", "4"]) == 1
    shown = capsys.readouterr().out
    assert "  next      still to be written: Value.backward\n" in shown and "  idea  " not in shown


def test_the_name_of_a_class_is_enough_for_a_hint(folder, capsys):
    main(["start", "7"])
    capsys.readouterr()
    for said in ("push, hint 1 of 2", "push, hint 2 of 2", "pop, hint 1 of 1"):
        assert main(["hint", "7", "ReadyQueue"]) == 0
        assert f"ReadyQueue.{said}" in capsys.readouterr().out


def test_a_planted_wrong_answer_gets_its_diagnosis(started, capsys):
    source = find("value")
    mistake = "slope_is_own_value"
    started.write_text(source.wrong_answer(mistake))
    assert main(["check", "4"]) == 1
    shown = capsys.readouterr().out
    assert "What is probably wrong:" in shown
    assert source.mistakes[mistake].split(".")[0][:60] in " ".join(shown.split())
    assert len(shown.splitlines()) <= show.LINES


HELPERS = "# --- yours: helpers\n"


@pytest.mark.parametrize(
    "helper, said",
    [
        (b"def f(:\n", "line {}: invalid syntax\n    def f(:"),
        (b"y = '\xff'\n", "line {}: this is not UTF-8"),
        (b"raise KeyboardInterrupt\n", "line {}: KeyboardInterrupt"),
        (b"raise SystemExit(0)\n", "line {}: SystemExit"),
        (b"import sys\n", "line {}: an answer may not use import sys"),
        (b"x = nothing\n", "line {}: NameError: name 'nothing' is not defined\n    x = nothing"),
        (b"\x00", "line {}: there is a NUL character"),
        (b"# --- yours: helpers\n", "line {}: '# --- end' is missing before this line"),
    ],
)
def test_a_file_that_cannot_be_loaded_scores_nothing(started, capsys, helper, said):
    before, _, after = SOLUTION.partition(HELPERS)
    number = before.count("\n") + 2
    started.write_bytes(before.encode() + HELPERS.encode() + helper + after.encode())
    assert main(["check", "4"]) == 1
    shown, errors = capsys.readouterr()
    assert said.format(number) in shown
    assert "Traceback" not in shown + errors
    assert len(shown.splitlines()) <= show.LINES
    assert saved(started.parent)["points"] == 0


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "is empty"),
        ("x = 1\n", "is missing; put it back"),
        (None, "nothing has been written yet"),
    ],
)
def test_a_file_without_answers_scores_nothing(started, capsys, text, said):
    if text is not None:
        started.write_text(text)
    assert main(["check", "4"]) == 1
    assert said in capsys.readouterr().out
    assert saved(started.parent)["points"] == 0


def test_what_is_outside_of_the_marks_is_not_graded(started):
    started.write_text("raise SystemExit\n" + SOLUTION)
    assert main(["check", "4"]) == 0


def test_an_exception_is_shown_with_the_line_of_the_file(started, capsys):
    mark = "# --- yours: Value.backward\n"
    before, _, after = SOLUTION.partition(mark)
    started.write_text(f"\n\n{before}{mark}        [][3]  # here\n{after}")
    assert main(["check", "4"]) == 1
    shown = capsys.readouterr().out
    assert "  got       IndexError: list index out of range" in shown
    assert f"  line      {before.count(chr(10)) + 4}: [][3] # here" in shown


def test_after_two_endless_scenarios_the_others_are_not_run(started, capsys):
    mark = "# --- yours: Value.backward\n"
    started.write_text(SOLUTION.replace(mark, mark + "        while True: pass\n"))
    assert main(["check", "4"]) == 1
    assert "it is too slow, or never ends" in capsys.readouterr().out


def test_check_in_the_jail_gives_the_same_points(value, started):
    from exercises.grader import GraderError
    from exercises.student import trial

    started.write_text(find("value").wrong_answer("slope_is_own_value"))
    try:
        jailed = trial.in_jail(value, started)
    except GraderError as error:
        pytest.skip(str(error))
    own = trial.grade(value, started)
    assert [(r.scenario, r.status) for r in own.results] == [
        (r.scenario, r.status) for r in jailed.results
    ]
    assert own.diagnosis == jailed.diagnosis


OWN = """# --- yours: helpers
class Own:
    def __init__(self):
        self._cache = 1

try:
    object()._cache
except AttributeError as error:
    assert "'_cache_yours'" in str(error)
assert Own()._cache == 1
"""


def test_a_private_name_is_the_file_s_own_with_and_without_a_jail(value, started):
    from exercises.grader import GraderError
    from exercises.student import trial

    started.write_text(SOLUTION.replace("# --- yours: helpers\n", OWN))
    own = trial.grade(value, started)
    try:
        jailed = trial.in_jail(value, started)
    except GraderError as error:
        pytest.skip(str(error))
    assert own.score == jailed.score == own.total, (own, jailed)


def test_a_missing_file_is_wrong_use(capsys):
    assert main(["check", "4"]) == 2
    assert "Begin with: python -m exercises start 4" in capsys.readouterr().err
    assert main(["check", "17"]) == 2
    assert "There is no assignment '17'. There are: a0" in capsys.readouterr().err


def test_hints_come_one_after_the_other_and_are_remembered(started, capsys):
    tiers = find("value").answers[-1].hints
    for index, tier in enumerate(tiers):
        assert main(["hint", "4", "Value.backward"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert shown == f"Value.backward, hint {index + 1} of {len(tiers)}: {tier}"
    assert main(["hint", "4", "Value.backward"]) == 1
    assert "no more hints" in capsys.readouterr().err
    assert main(["hint", "4", "--again"]) == 0
    assert capsys.readouterr().out.count("Value.backward, hint") == len(tiers)
    assert saved(started.parent)["hints"] == {"Value.backward": len(tiers)}
    assert main(["hint", "4", "nowhere"]) == 2


def test_the_name_of_a_function_is_enough_for_a_hint(started, capsys):
    assert main(["hint", "4", "order"]) == 0
    assert capsys.readouterr().out.startswith("Value.order, hint 1 of ")


def test_a_hint_for_a_written_file_needs_a_place(started, capsys):
    started.write_text(SOLUTION)
    assert main(["hint", "4"]) == 2
    assert "Name the function that you want a hint for. There are: " in capsys.readouterr().err
    assert main(["hint", "4", "order"]) == 0


def test_a_line_outside_of_the_marks_is_named(started, capsys):
    text = SOLUTION.replace("self.grad = 0.0\n", "self.grad = 0.0\n        self.mark = 0\n", 1)
    started.write_text(text)
    assert main(["check", "4"]) == 0
    line = text[: text.index("self.mark")].count("\n") + 1
    assert f"line {line} of your file is outside of the marked places" in capsys.readouterr().out
    started.write_text("# a remark of mine\n\n" + SOLUTION)
    assert main(["check", "4"]) == 0
    assert "outside" not in capsys.readouterr().out


def test_a_hint_is_about_a_place_that_is_not_written_yet(started, capsys):
    text = started.read_text()
    first = find("value").answers[0].name
    stub = f'raise NotImplementedError("{first} is yours to write")'
    assert stub in text
    started.write_text(text.replace(stub, "pass"))
    assert main(["hint"]) == 0
    assert not capsys.readouterr().out.startswith(first)


def test_reset_asks_and_keeps_a_copy(started, capsys, monkeypatch):
    started.write_text("mine")
    monkeypatch.setattr("builtins.input", lambda: "no")
    assert main(["reset", "4"]) == 1
    assert started.read_text() == "mine"

    def closed():
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    assert main(["reset", "4"]) == 1
    monkeypatch.setattr("builtins.input", lambda: "y")
    assert main(["reset", "4"]) == 0
    assert started.read_text() == find("value").stub()
    started.write_text("mine again")
    assert main(["reset", "4", "--yes"]) == 0
    kept = sorted(path.read_text() for path in started.parent.glob("*before_reset*"))
    assert kept == ["mine", "mine again"]


class TestProgress:
    def test_points_are_remembered_with_the_version(self, started, capsys, monkeypatch):
        started.write_text(SOLUTION)
        main(["check", "4"])
        assert saved(started.parent)["course"] == course.version()
        assert course.Progress(started.parent).done("a04_value")
        monkeypatch.setattr(course, "version", lambda: "99")
        assert not course.Progress(started.parent).done("a04_value")
        capsys.readouterr()
        main(["progress"])
        shown = capsys.readouterr().out
        assert "Course version 99: 0 of" in shown
        assert "in version 1" in shown

    def test_a_broken_file_is_kept_aside(self, folder, capsys):
        folder.mkdir()
        (folder / course.PROGRESS).write_text("{")
        assert main(["progress"]) == 0
        assert "could not be read" in capsys.readouterr().err
        assert len(list(folder.glob("*_broken1.json"))) == 1

    def test_a_failed_write_leaves_the_old_file(self, started, monkeypatch):
        before = (started.parent / course.PROGRESS).read_text()

        def full(*arguments):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
        with pytest.raises(OSError):
            course.Progress(started.parent).save()
        assert (started.parent / course.PROGRESS).read_text() == before
        assert not list(started.parent.glob(".course*"))


def test_watch_checks_after_each_change_and_moves_on(started, capsys, monkeypatch):
    monkeypatch.setattr(course, "names", lambda: ["a04_value"])
    answers = iter([find("value").wrong_answer("slope_is_own_value"), SOLUTION])
    monkeypatch.setattr(commands.time, "sleep", lambda seconds: started.write_text(next(answers)))
    assert main(["watch", "4"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("----") == 3
    assert "nothing has been written yet" in shown and "What is probably wrong" in shown
    assert shown.endswith("You have done every assignment.\n")


def test_a_check_needs_little_processor_time(started):
    started.write_text(SOLUTION)
    command = [sys.executable, "-m", "exercises", "check", "4"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def used():  # processor time, since the machine may be busy
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    checked = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert (
        used() - before < 8
    )  # a second, more at the first time; it must not import or build everything


def test_colour_only_on_a_terminal_and_not_with_no_color(monkeypatch):
    class Terminal:
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert show.paint("x", "bad", Terminal()) == "x"
    monkeypatch.delenv("NO_COLOR")
    assert show.paint("x", "bad", Terminal()) == "\033[31mx\033[0m"
    assert show.paint("x", "bad", sys.__stdout__ if not sys.__stdout__.isatty() else None) == "x"


def test_the_help_documents_the_exit_statuses(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert "exit status:" in shown and "130" in shown


def test_a_list_that_is_not_read_to_its_end_is_no_error():
    shown = subprocess.Popen(
        [sys.executable, "-m", "exercises", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    shown.stdout.close()
    assert shown.stderr.read() == b"" and shown.wait() == 0


def test_a_report_counts_what_is_not_written_and_names_whole_tests():
    passed, failed, waiting = (
        types.SimpleNamespace(error=error)
        for error in (None, None, "NotImplementedError: f is yours to write")
    )
    assert show.counts([passed, failed, waiting], [failed, waiting]) == (
        "1 test passes, 1 fails, 1 needs what is still to be written"
    )
    assert show.counts([passed, passed, failed], [failed]) == "2 tests pass, 1 fails"
    assert show.listed(["first", "second", "third"], 30) == "first, second, third"
    assert show.listed(["first", "second", "third"], 19) == "first and 2 more"


@pytest.mark.parametrize(
    "row,message",
    [
        ('"grad"', "sub: a row is a dict with formulas, not 'grad'"),
        ('{"self": "grad"}', "sub: the row lacks a formula for other"),
        (
            '{"self": "grad", "other": "-grad", "alpha": "grad"}',
            "sub: a row has no formula for alpha",
        ),
        ('{"self": "grad", "other": "-torch.abs(grad)"}', "write exp(x), not torch.exp(x)"),
    ],
)
def test_a_row_that_is_none_says_what_is_wrong(folder, capsys, row, message):
    main(["start", "5"])
    right = '{"self": "grad", "other": "-grad * alpha"}'
    (folder / "a05_derivatives.py").write_text(find("5").solution().replace(right, row))
    assert main(["check", "5"]) == 1
    assert message in " ".join(capsys.readouterr().out.split())
