"""The teacher's tool: rules, a class, Gradescope and Classroom 50."""

import csv
import json
import os
import re
import subprocess
import sys
import types
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from exercises.source import find
from exercises.teacher import course, gradescope, reports, run, secret, submissions
from exercises.teacher.__main__ import main
from tests.exercises import standin
from tests.exercises.rehearsal import command, contents, grade_killed, kinds, make_class

ROOT = Path(__file__).resolve().parents[2]
SECRET = "a secret of the tests, long enough"
NAME = "a04_value"


@pytest.fixture
def secret_file(tmp_path):
    path = tmp_path / "secret"
    path.write_text(SECRET)
    path.chmod(0o600)
    return path


def rules(tmp_path, text=""):
    path = tmp_path / "course.toml"
    path.write_text(f'version = "1"\n{text}\n[assignments.{NAME}]\n')
    return course.read(path)


# ---- course.toml


def test_the_shipped_rules_can_be_read_and_name_every_assignment():
    shipped = course.read()
    assert {path.stem for path in (ROOT / "exercises/assignments").glob("a*.py")} <= set(
        shipped.assignments
    )
    assert len(shipped.assignments) == 16
    assert shipped.assignments["a07_engine"].late.percent_per_day == 10


@pytest.mark.parametrize(
    "text, message",
    [
        ("version = ", "no valid TOML"),
        ('[assignments.a]\n', "version is missing"),
        ('version = "1"', "assignments is missing"),
        ('version = 1\n[assignments.a]', "version should be a text in quotes, not 1"),
        ('version = "1"\ncolour = 1\n[assignments.a]', "colour is unknown; there are: version"),
        ('version = "1"\n[assignments.a]\npoints = 0',
         "assignments.a.points should be a number above 0, not 0"),
        ('version = "1"\n[assignments.a]\npoints = "ten"', "points should be a number"),
        ('version = "1"\n[assignments.a]\nweight = -1', "weight should be a number of at least 0"),
        ('version = "1"\n[assignments.a]\nweight = true', "weight should be a number"),
        ('version = "1"\n[assignments.a]\nweight = 0', "every weight is 0"),
        ('version = "1"\n[assignments.a]\npartial = 1', "partial should be true or false"),
        ('version = "1"\n[assignments.a]\ndue = 2026-10-05', "with an offset"),
        ('version = "1"\n[assignments.a]\ndue = 2026-10-05T10:00:00', "with an offset"),
        ('version = "1"\n[assignments.a]\nlate = { per_day = 3 }', "late.per_day is unknown"),
        ('version = "1"\n[assignments.a]\nlate = { percent_per_day = 200 }', "from 0 to 100"),
        ('version = "1"\n[grading]\nbudget = inf\n[assignments.a]', "grading.budget should be"),
        ('version = "1"\nassignments = { a = 1 }', "assignments.a should be a table"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_rules_is_named(tmp_path, text, message):
    path = tmp_path / "course.toml"
    path.write_text(text)
    with pytest.raises(course.CourseError, match=re.escape(message)):
        course.read(path)


def test_missing_rules_are_an_error_without_a_traceback(tmp_path, capsys):
    assert main(["rules", "--course", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "late, points, days",
    [
        (timedelta(0), 80, 0),
        (timedelta(minutes=15), 80, 0),
        (timedelta(minutes=16), 72, 1),
        (timedelta(days=1), 72, 1),
        (timedelta(days=1, seconds=1), 64, 2),
        (timedelta(days=5), 40, 5),
        (timedelta(days=6), 0, 6),
    ],
)
def test_lateness_costs_points_for_each_day_begun(late, points, days):
    due = datetime(2026, 10, 5, 23, 59, tzinfo=UTC)
    policy = course.Late(grace_minutes=15, percent_per_day=10, max_days=5)
    one = course.Rules(100, 1, True, due, policy)
    assert one.earned(80, 100, due + late) == (points, days)


def test_points_scale_and_can_be_all_or_none():
    assert course.Rules(40, 1, True, None, course.Late()).earned(50, 100, None) == (20, 0)
    assert course.Rules(40, 1, False, None, course.Late()).earned(99, 100, None) == (0, 0)
    assert course.Rules(40, 1, False, None, course.Late()).earned(100, 100, None) == (40, 0)


# ---- the secret


def test_a_new_secret_is_long_private_and_never_replaced(tmp_path, capsys):
    path = tmp_path / "secret"
    assert main(["secret", str(path)]) == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(secret.find(path)) == 64
    assert secret.find(path) not in capsys.readouterr().out
    assert main(["secret", str(path)]) == 2
    path.chmod(0o644)
    with pytest.raises(secret.SecretError, match="chmod 600"):
        secret.find(path)


def test_the_secret_leaves_the_environment(monkeypatch):
    monkeypatch.setenv(secret.VARIABLE, SECRET)
    assert secret.find() == SECRET
    assert secret.VARIABLE not in os.environ
    with pytest.raises(secret.SecretError, match="there is no secret"):
        secret.find()


def test_a_short_secret_is_an_error(monkeypatch):
    monkeypatch.setenv(secret.VARIABLE, "1234")
    with pytest.raises(secret.SecretError, match="can be guessed"):
        secret.find()


# ---- submissions


def test_odd_files_are_found_or_named_and_break_nothing(tmp_path):
    other = tmp_path / "other.py"
    other.write_text("secret")
    place = tmp_path / "class"
    (place / "ada").mkdir(parents=True)
    (place / "ada" / "a04_value.py").write_text("nested")
    (place / "ada" / "a04.py").write_text("second")
    (place / "ada" / "notes.py").write_text("no assignment")
    (place / "liz").mkdir()
    (place / "liz" / "a04_value.py").mkdir()
    (place / "bob_smith_a04.py").write_text("flat")
    (place / "eve_a04_value.py").symlink_to(other)
    (place / "linked").symlink_to(tmp_path)
    (place / "huge_a04.py").write_bytes(b"#" * 1001)
    os.mkfifo(place / "pipe_a04.py")
    (place / "folder_a04.py").mkdir()
    (place / "readme.txt").write_text("")
    (place / "max" / "work").mkdir(parents=True)
    (place / "max" / "work" / "a04_value.py").write_text("too deep")
    (place / "line\nbreak_a04.py").write_text("odd")
    with open(os.fsencode(place) + b"/\xff\xfe_a04.py", "w") as file:
        file.write("bytes")
    found, left_out = submissions.find(place, [NAME], max_bytes=1000)
    by_name = {submissions.shown(s.student): s for s in found}
    assert by_name["ada"].data == b"nested"
    assert by_name["bob_smith"].data == b"flat"
    assert by_name["line\\nbreak"].data == b"odd"
    assert by_name["\\xff\\xfe"].data == b"bytes"
    assert "symbolic link" in by_name["eve"].problem
    assert "larger than 1,000 bytes" in by_name["huge"].problem
    assert "not a regular file" in by_name["pipe"].problem
    assert "not a regular file" in by_name["liz"].problem
    assert len(by_name) == 8
    text = "\n".join(left_out)
    for name in ("a04.py is left out", "notes.py", "readme.txt", "linked", "max has no sub"):
        assert name in text


def test_no_file_of_another_name_displaces_a_student_s_own(tmp_path):
    for name in "bob_a04 bob_a04_a04 bob_a04_value_a04 bob_a04_second_version ada_a04".split():
        (tmp_path / f"{name}.py").write_text(name)
    (tmp_path / "eve").mkdir()
    for name in ("a04", "a04_value", "a04_value_a04_value"):
        (tmp_path / "eve" / f"{name}.py").write_text(name)
    found, left_out = submissions.find(tmp_path, [NAME], 1000)
    data = {s.student: s.data for s in found}
    assert data == {"ada": b"ada_a04", "bob": b"bob_a04", "eve": b"a04_value"}
    text = "\n".join(left_out)
    assert "bob_a04_a04.py is left out: the student may be bob or bob_a04;" in text
    assert "bob_a04_value_a04.py is left out: the student may be bob or bob_a04_value;" in text
    assert "second_version.py is left out: " in text
    assert len(left_out) == 5


def test_times_are_from_the_table_or_from_the_file(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    for name in ("ada", "bob"):
        (place / f"{name}_a04.py").write_text(name)
        os.utime(place / f"{name}_a04.py", (0, 0))
    table = place / "submitted.csv"
    table.write_text(f"student,assignment,time\nada,{NAME},2026-10-05T21:10:00+02:00\n")
    found, left_out = submissions.find(place, [NAME], 1000, submissions.read_times(table))
    assert [s.clock for s in found] == ["submitted.csv", "file's date"]
    assert [f"{s.submitted:%Y-%m-%d %H:%M}" for s in found] == [
        "2026-10-05 19:10",
        "1970-01-01 00:00",
    ]
    assert left_out == []
    table.write_text(f"student,assignment,time\nada,{NAME},2026-10-05T21:10:00\n")
    with pytest.raises(submissions.SubmissionsError, match="line 2: .* with an offset"):
        submissions.read_times(table)


@pytest.mark.parametrize("kind", ["pipe", "folder", "link"])
def test_a_table_of_times_is_a_regular_file(tmp_path, kind):
    place, table = tmp_path / "class", tmp_path / "class" / "submitted.csv"
    place.mkdir()
    (place / "ada_a04.py").write_text("ada")
    if kind == "pipe":
        os.mkfifo(table)
    elif kind == "folder":
        table.mkdir()
    else:
        table.symlink_to("/dev/zero")
    assert not submissions.has_times(place)
    found, left_out = submissions.find(place, [NAME], 1000)
    assert [s.student for s in found] == ["ada"]
    assert left_out == [f"{table} is not a regular file, so it is not read"]
    with pytest.raises(submissions.SubmissionsError, match="cannot read .* not a regular file"):
        submissions.read_times(table)


@pytest.mark.parametrize(
    "time", ["x" * 200_000, "x" * 100_000, "0001-01-01T00:00:00+02:00", "2026-10-05", ""]
)
def test_a_time_that_cannot_be_read_is_a_short_sentence(tmp_path, time):
    table = tmp_path / "submitted.csv"
    table.write_text(f"student,assignment,time\nada,{NAME},{time}\n")
    assert submissions.has_times(tmp_path)
    with pytest.raises(submissions.SubmissionsError) as error:
        submissions.read_times(table)
    assert len(str(error.value)) < 300 + len(str(table))


@pytest.mark.parametrize("date", [1e12, -1e12, 1e300, float("nan")])
def test_a_date_that_no_calendar_has_is_replaced(date):
    status = types.SimpleNamespace(st_mtime=date, st_ctime=86400.0)
    assert submissions._date(status).year == 1970


# ---- a class


def test_a_killed_run_goes_on_and_ends_with_the_same_result(tmp_path, secret_file):
    number, place = 20, tmp_path / "class"
    make_class(place, number)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    first = command(place, whole, secret_file)
    subprocess.run(first, check=True, cwd=ROOT, capture_output=True)
    arguments = command(place, killed, secret_file)
    done = grade_killed(arguments, killed, number // 2)
    assert number // 2 <= done < number
    assert not (killed / "grades.csv").exists()
    result = subprocess.run(arguments, check=True, cwd=ROOT, capture_output=True, text=True)
    assert f"{done} are graded already" in result.stdout
    assert contents(killed) == contents(whole)
    for path in whole.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
    rows = list(csv.DictReader((whole / "grades.csv").open()))
    scores = [float(row[NAME]) for row in rows]
    kind = len(kinds(NAME))
    assert len(rows) == number
    assert set(scores[0::kind]) == {100.0}
    assert set(scores[kind - 3 :: kind]) == {0.0}


def test_another_run_is_kept_out(tmp_path):
    with run.lock(tmp_path), pytest.raises(run.Busy, match="another run"), run.lock(tmp_path):
        pass
    with run.lock(tmp_path):
        pass


def test_a_key_depends_on_all_that_can_change_a_grade(tmp_path):
    source, one = find(NAME), rules(tmp_path)
    key = run.key_of(b"text", source, SECRET, one)
    assert key == run.key_of(b"text", source, SECRET, one)
    assert key != run.key_of(b"other", source, SECRET, one)
    assert key != run.key_of(b"text", source, SECRET + "!", one)
    one.version = "2"
    assert key != run.key_of(b"text", source, SECRET, one)


def test_an_incomplete_report_is_no_grade(tmp_path, secret_file, monkeypatch, capsys):
    place = tmp_path / "class"
    make_class(place, 2)

    def grade(source, path, **options):
        complete = b"student 0" in path.read_bytes()
        return standin.Report(source.name, str(path), "x", complete=complete)

    for name, module in standin.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys.modules["exercises.grader"], "grade", grade)
    out = tmp_path / "out"
    arguments = ["grade", str(place), "--out", str(out), "--secret", str(secret_file)]
    assert main(arguments) == 1
    assert "student001, a04_value: NOT GRADED" in capsys.readouterr().out
    rows = list(csv.DictReader((out / "grades.csv").open()))
    assert [row[NAME] for row in rows] == ["0", ""]
    assert len(list((out / "records").glob("*.json"))) == 1


def hidden_result(**changes):
    return {"scenario": "the_hidden_name", "points": 60, "earned": 0, "hidden": True,
            "status": "failed", "expected": "the-right-value", "got": "the-wrong-value",
            "error": "the-message", "line": 3, "idea": "Think of paths.", "page": "learn/x",
            **changes}  # fmt: skip


def report_of(*results, **changes):
    return {"score": sum(r["earned"] for r in results), "total": 100.0, "results": list(results),
            "diagnosis": None, "message": None, "sha256": "f" * 64, "sandbox": "bwrap",
            "complete": True, **changes}  # fmt: skip


def test_reports_for_students_say_nothing_about_hidden_tests_but_the_idea(tmp_path):
    one = rules(tmp_path)
    item = submissions.Submission("ada", NAME, Path("x"), submitted=datetime.now(UTC))
    shown = hidden_result(hidden=False, expected="right", got="```\n# big")
    shown |= {"scenario": "seen", "error": None}
    report = report_of(hidden_result(), shown)
    text = reports.of_student("ada", [reports.points_of(item, report, one)], one)
    text += json.dumps(gradescope.results({NAME: report}, one, "after_due_date", 1.0))
    for secret_text in ("the_hidden_name", "the-right", "the-wrong", "the-message"):
        assert secret_text not in text
    assert "Think of paths." in text
    assert "      expected: right" in text
    assert "\n# big" not in text


@pytest.mark.parametrize(
    "name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "|x", "\uff1d1"]
)
def test_no_name_is_a_formula(name):
    assert reports.cell(name)[0] in "'\\"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "|", "%", "\uff1d", " ="])
@pytest.mark.parametrize("separator", [";", ",", "\uff1b"])
def test_no_name_is_a_formula_after_a_separator(sign, separator):
    text = f"x{separator}{sign}1"
    assert reports.cell(
        text + separator + text
    ) == f"x{separator}'{sign}1{separator}{text}".replace(f"{text}", f"x{separator}'{sign}1")
    assert reports.cell(f"x{separator}1") == f"x{separator}1"


def test_every_cell_is_quoted(tmp_path):
    text = reports.table([], ['a"b;c', "ada"], rules(tmp_path))
    cells = [line[1:-1].split('","') for line in text.splitlines()]
    assert all(line[0] == line[-1] == '"' for line in text.splitlines())
    assert len({len(row) for row in cells}) == 1
    assert [row["student"] for row in csv.DictReader(text.splitlines())] == ['a"b;c', "ada"]


@pytest.mark.parametrize(
    "name", ["https://example.org", "&lt;b&gt;", "*a* _b_", "`", "a``b`", " ", "@ada", "<b>"]
)
def test_no_name_is_markup(tmp_path, name):
    heading = reports.of_student(name, [], rules(tmp_path)).splitlines()[0]
    fence, text, end = re.fullmatch(r"# (`+)(.*[^`])(`+)", heading).groups()
    assert fence == end and name in text
    assert fence not in re.findall("`+", text)


def test_names_of_reports_are_plain_and_differ():
    names = ["ada", "a/b", "a_b", "..", "\udcff", "é", "x" * 300, "-rf", "Bob", "bob"]
    first = reports.files_of(["a b"])["a b"]
    names += ["a b", first.removesuffix(".md")]  # who knows the name of another's report
    files = list(reports.files_of(names).values())
    assert len({file.lower() for file in files}) == len(names)
    assert all(re.fullmatch(r"[\w-][\w.-]*\.md", file, re.ASCII) for file in files)
    assert files[0] == "ada.md"


# ---- Gradescope

_TEXT = (str,)
_VISIBLE = lambda v: v in gradescope.VISIBILITY  # noqa: E731
_FORMAT = lambda v: v in ("text", "simple_format", "html", "md", "ansi")  # noqa: E731
_NUMBER = lambda v: type(v) in (int, float)  # noqa: E731
_STRING = lambda v: isinstance(v, str)  # noqa: E731
TOP = {"score": _NUMBER, "execution_time": _NUMBER, "output": _STRING, "output_format": _FORMAT,
       "test_output_format": _FORMAT, "test_name_format": _FORMAT, "visibility": _VISIBLE,
       "stdout_visibility": _VISIBLE, "extra_data": lambda v: isinstance(v, dict),
       "tests": lambda v: isinstance(v, list), "leaderboard": lambda v: isinstance(v, list)}  # fmt: skip
TEST = {"score": _NUMBER, "max_score": _NUMBER, "status": lambda v: v in ("passed", "failed"),
        "name": _STRING, "name_format": _FORMAT, "number": _STRING, "output": _STRING,
        "output_format": _FORMAT, "tags": lambda v: all(map(_STRING, v)), "visibility": _VISIBLE,
        "extra_data": lambda v: isinstance(v, dict)}  # fmt: skip


def validate(data):
    """Check a results.json against the fields that Gradescope's specification lists."""
    for table, allowed in [(data, TOP), *((test, TEST) for test in data["tests"])]:
        for key, value in table.items():
            assert allowed[key](value), (key, value)
    assert "score" in data or all("score" in test for test in data["tests"])


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    """A folder laid out like Gradescope's, with the autograder unpacked in it."""
    root = tmp_path_factory.mktemp("autograder")
    one = rules(root)
    gradescope.write(root, one, root / "course.toml", SECRET, ["4"])
    for name in ("source", "submission", "results"):
        (root / name).mkdir()
    with zipfile.ZipFile(root / "autograder.zip") as archive:
        archive.extractall(root / "source")
        assert {"setup.sh", "run_autograder"} <= set(archive.namelist())
        assert archive.getinfo("run_autograder").external_attr >> 16 == 0o100755
        names = archive.namelist()
    assert f"exercises/assignments/{NAME}.py" in names
    assert sum(name.startswith("exercises/assignments/a") for name in names) == 1
    # the virtual environment that setup.sh makes there
    (root / "venv/bin").mkdir(parents=True)
    python = root / "venv/bin/python"
    python.write_text(f'#!/bin/bash\nPYTHONPATH={ROOT} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return root


@pytest.mark.parametrize(
    "name, kind, low, high",
    [("a04_value.py", 0, 100, 100), ("my answer.py", 1, 1, 90), ("a04_value.py", -1, 0, 0),
     (None, 0, 0, 0)],
)  # fmt: skip
def test_run_autograder_writes_results_as_gradescope_specifies(autograder, name, kind, low, high):
    for path in (autograder / "submission").iterdir():
        path.unlink()
    if name:
        (autograder / "submission" / name).write_bytes(kinds(NAME)[kind])
    result = subprocess.run(
        ["bash", str(autograder / "source/run_autograder")], cwd=autograder, capture_output=True,
        text=True, env={"AUTOGRADER_ROOT": str(autograder), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    data = json.loads((autograder / "results/results.json").read_text())
    validate(data)
    assert low <= data["score"] <= high
    assert sum(test["score"] for test in data["tests"]) == data["score"]
    assert sum(test["max_score"] for test in data["tests"]) == 100
    assert SECRET not in json.dumps(data) + result.stdout + result.stderr
    assert not (autograder / "source/secret").stat().st_mode & 0o077
    if low:
        assert {test["visibility"] for test in data["tests"]} == {"visible", "after_due_date"}
        assert "in the sandbox user" in data["output"]


def test_the_scripts_are_valid_bash():
    for name in ("setup.sh", "run_autograder"):
        path = ROOT / "exercises/teacher/files" / name
        subprocess.run(["bash", "-n", str(path)], check=True)


# ---- Classroom 50 and GitHub Actions


def test_workflows_pin_every_action_and_name_no_repository_of_ours(tmp_path):
    assert main(["actions", str(tmp_path)]) == 0
    for path in tmp_path.glob("*.yml"):
        text = path.read_text()
        uses = re.findall(r"uses: (\S+)", text)
        assert uses and all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", use) for use in uses)
        assert "http" not in text
        assert "permissions:\n  contents: read" in text


@pytest.mark.parametrize("command", ["classroom50", "gradescope"])
def test_an_unknown_assignment_is_named(tmp_path, secret_file, capsys, command):
    secret_option = ["--secret", str(secret_file)] if command == "gradescope" else []
    arguments = [command, str(tmp_path / "out"), "--assignment", "99", *secret_option]
    assert main(arguments) == 2
    assert "there is no assignment '99'" in capsys.readouterr().err


def test_classroom50_runs_no_pip_of_a_student(tmp_path):
    folder, checkout = tmp_path / "autograder", tmp_path / "checkout"
    package = tmp_path / "minitorch-1-py3-none-any.whl"
    package.write_bytes(b"")
    arguments = ["classroom50", str(folder), "--assignment", "4", "--package", str(package)]
    assert main(arguments) == 0
    checkout.mkdir()
    (checkout / "pip.py").write_text("open('ran', 'w'); raise SystemExit(1)")
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(checkout), "PIP_NO_INDEX": "1",
             "PIP_DRY_RUN": "1"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(folder / "autograder.py")], cwd=checkout, env=given, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1 and "CalledProcessError" in done.stderr
    assert [path.name for path in checkout.iterdir()] == ["pip.py"]


def test_classroom50_gets_a_result_and_nothing_that_is_hidden(tmp_path):
    folder, checkout = tmp_path / "autograder", tmp_path / "checkout"
    assert main(["classroom50", str(folder), "--assignment", "4"]) == 0
    source = find(NAME)
    checkout.mkdir()
    (checkout / f"{NAME}.py").write_text(source.wrong_answer(source.wrong_names()[0]))
    given = {"CLASSROOM": "engines", "ASSIGNMENT": "four", "SUBMISSION_TAG": "submit/1",
             "COMMIT_URL": "commit", "RELEASE_URL": "release", "PATH": os.environ["PATH"],
             "PYTHONPATH": str(ROOT)}  # fmt: skip
    subprocess.run(
        [sys.executable, str(folder / "autograder.py")], cwd=checkout, env=given, check=True
    )
    result = json.loads((checkout / "result.json").read_text())
    texts = {"schema", "classroom", "assignment", "submission", "commit", "release", "review",
             "datetime"}  # fmt: skip
    assert set(result) == texts | {"score", "max-score", "tests"}
    assert all(type(result[name]) is str and result[name] for name in texts)
    assert result["schema"] == "classroom50/result/v1"
    assert result["classroom"] == "engines" and result["assignment"] == "four"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result["datetime"])
    types = {"test-name": str, "passed": bool, "score": int, "max-score": int}
    for test in result["tests"]:
        assert {name: type(value) for name, value in test.items()} == types
    for name in ("score", "max-score"):
        assert type(result[name]) is int
        assert result[name] == sum(test[name] for test in result["tests"])
    assert 0 < result["max-score"] < 100
    hidden = re.findall(r"^def (\w+)", source.hidden, re.M)
    published = b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert hidden and not any(name.encode() in published for name in hidden)
