"""The released form of the assignments, and the archive that students get."""

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import pytest

from exercises.bundle import Bundle, BundleError, page
from exercises.release import (
    Leak,
    _imported,
    _lines,
    contents,
    refuse_leaks,
    release,
    secret_lines,
)
from exercises.scenario import scenarios_of
from exercises.source import FOLDER, Source, all_sources, find

SOURCES = all_sources()
make_bundle = Bundle.of
DOCS = FOLDER.parents[1] / "docs"


@pytest.fixture(scope="module", autouse=True)
def made_once(value):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bundle, "of", lambda source, version: replace(value, version=version))
        yield


@pytest.fixture(scope="module")
def archive(made_once, tmp_path_factory):
    path = tmp_path_factory.mktemp("release") / "course.zip"
    release(path, "7.1", [find("value")], site="https://example.org/site/")
    return path


def test_a_bundle_is_read_as_it_was_written(value, tmp_path):
    value.write(tmp_path)
    again = Bundle.read(tmp_path)
    assert again.files() == value.files()
    assert again.version == value.version
    assert again.stub() == find("value").stub()


def test_a_bundle_has_the_public_scenarios_and_their_values(value):
    public = [s for s in value.scenarios().values()]
    assert public and not any(s.hidden for s in public)
    assert value.expected.keys() == value.scenarios().keys()
    for right in value.expected.values():
        assert json.loads(right["values"])


def test_no_file_of_a_bundle_has_a_mark(value):
    for text in value.files().values():
        assert not re.search(r"<answer|<wrong|#\||# hint:|<hidden>|MISTAKES|EQUIVALENT", text)


def test_an_incomplete_bundle_is_refused(value, tmp_path):
    value.write(tmp_path)
    (tmp_path / "hints.json").write_text("{")
    with pytest.raises(BundleError, match="no complete assignment"):
        Bundle.read(tmp_path)
    with pytest.raises(BundleError):
        Bundle.read(tmp_path / "missing")


def test_a_solution_that_fails_is_not_released(tmp_path):
    text = find("value").path.read_text(encoding="utf-8")
    broken = tmp_path / "a04_value.py"
    broken.write_text(text.replace("(self, other.data), (other, self.data)", "(self, other.data)"))
    with pytest.raises(BundleError, match="the solution fails"):
        make_bundle(Source(broken))


def test_times_are_those_of_this_machine(value, monkeypatch):
    scenarios = value.scenarios()
    monkeypatch.setattr(value, "scenarios", lambda: scenarios, raising=False)
    monkeypatch.setattr("exercises.bundle.speed", lambda: 2 * value.speed)
    for scenario in scenarios.values():
        scenario.cost = None
    assert value.expected_here() == value.expected
    for scenario in scenarios.values():
        scenario.cost = 3
    for name, right in value.expected_here().items():
        assert right["seconds"] == pytest.approx(2 * value.expected[name]["seconds"])


# ---- the archive


def files_of(path):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}
    with tarfile.open(path) as archive:
        return {name: archive.extractfile(name).read().decode() for name in archive.getnames()}


def test_the_archive_has_what_the_modules_of_an_assignment_need():
    assert {"optimizers", "engines", "plugs", "scenario"} <= _imported(find("a15").tests)


def test_both_kinds_of_archive_hold_the_same(archive, tmp_path):
    names = release(tmp_path / "course.tar.gz", "7.1", [find("value")])
    assert files_of(tmp_path / "course.tar.gz").keys() == files_of(archive).keys() == set(names)
    with pytest.raises(ValueError, match="should end in"):
        release(tmp_path / "course.rar")


def test_an_archive_has_no_line_of_a_solution_or_a_hidden_test(archive):
    secret = secret_lines(find("value"))
    assert len(secret) > 10
    for name, text in files_of(archive).items():
        assert name.startswith("course/")
        assert not name.endswith((".pyc", ".so", ".c"))
        assert "/assignments/" not in name
        assert not [line for line in secret if line in text], name


@pytest.mark.parametrize("section", ["answers", "hidden", "wrong"])
def test_a_secret_line_is_found_wherever_it_is(section):
    source = find("value")
    lines = {
        "answers": source.answers[-1].solution,
        "hidden": source.hidden.splitlines(),
        "wrong": [line for a in source.answers for wrong in a.wrong.values() for line in wrong],
    }[section]
    line = next(line for line in lines if line.strip() in secret_lines(source))
    with pytest.raises(Leak, match="that is secret"):
        refuse_leaks({"a.json": json.dumps({"x": line})}, [source])
    with pytest.raises(Leak, match="that is secret"):
        refuse_leaks({"a.py": f"# {line.strip()}\n"}, [source])
    with pytest.raises(Leak, match="no file that students need"):
        refuse_leaks({"a.pyc": ""}, [source])


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_an_archive_has_what_the_public_tests_import(source, monkeypatch):
    made = SimpleNamespace(files=dict)
    monkeypatch.setattr(Bundle, "of", lambda source, version: made)
    files = contents([source])
    for name in re.findall(
        r"(?m)^ *from exercises import (\w+)|^ *from exercises\.(\w+)", source.tests
    ):
        assert f"exercises/{name[0] or name[1]}.py" in files


def test_the_release_names_its_version_and_tells_how_to_begin(archive):
    files = files_of(archive)
    course = json.loads(files["course/exercises/released/course.json"])
    assert course["course"] == "7.1"
    assert "python -m exercises start" in files["course/README.md"]
    assert "How an assignment is made" not in files["course/README.md"]


def test_the_archive_works_by_itself(archive, tmp_path):
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path)
    folder = tmp_path / "course"

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "exercises", *arguments],
            cwd=folder,
            env={"PYTHONPATH": ":".join(path for path in sys.path if "site-packages" in path)
                 + ":" + str(folder), "PATH": os.defpath, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )  # fmt: skip

    library = tmp_path / "course" / "minitorch"
    library.symlink_to(SOURCES["a04_value"].path.parents[2] / "minitorch")
    assert run("start", "4").returncode == 0
    (folder / "a04_value.py").write_text(find("value").wrong_answer("slope_is_own_value"))
    checked = run("check")
    assert checked.returncode == 1, checked.stderr
    assert "https://example.org/site/learn/zero/chain_rule.html" in checked.stdout
    assert "exercises/released/a04_value/tests.py, line" in checked.stdout
    (folder / "a04_value.py").write_text(find("value").solution())
    checked = run("check")
    assert checked.returncode == 0, checked.stdout
    assert "version 7.1" in run("progress").stdout


def test_nothing_given_to_students_has_a_secret_line():
    # as `release` does, here without running the solutions
    files = contents([])
    for source in SOURCES.values():
        texts = {"tests.py": source.tests, "stub.py": source.stub(), "page.md": page(source)}
        texts["hints.json"] = json.dumps([answer.hints for answer in source.answers])
        files |= {f"exercises/released/{source.name}/{name}": t for name, t in texts.items()}
    refuse_leaks(files, list(SOURCES.values()))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_page_names_what_a_student_wants_to_know(source):
    text = page(source)
    assert text.startswith(f"# {source.about.number}. {source.about.title}\n")
    for part in (source.about.goal, *source.about.reading, *[a.name for a in source.answers]):
        assert part in text
    public = {}
    exec(source.tests, public)
    assert all(f"`{name}`" in text for name in scenarios_of(public))
    assert "<hidden>" not in text and "def " not in text


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_the_pages_that_an_assignment_names_are_on_the_site(source):
    public = {}
    exec(source.tests, public)
    named = [*source.about.reading, *(s.page for s in scenarios_of(public).values() if s.page)]
    missing = [page for page in named if not (DOCS / f"{page}.md").exists()]
    assert missing == []


def test_the_site_shows_the_assignments_of_every_part():
    index = (DOCS / "learn" / "exercises" / "index.md").read_text(encoding="utf-8")
    for source in SOURCES.values():
        assert f"```{{course-table}} {source.about.part}\n" in index


def test_no_page_of_the_site_gives_an_answer():
    pages = {
        path: path.read_text(encoding="utf-8")
        for path in (FOLDER.parents[1] / "docs").rglob("*.md")
    }
    for source in all_sources().values():
        lines = _lines(line for answer in source.answers for line in answer.solution)
        lines -= _lines(source.stub().splitlines() + source.tests.splitlines())
        for path, text in pages.items():
            shown = {re.sub(r"^(>>>|\.\.\.) *", "", line.strip()) for line in text.splitlines()}
            assert len(lines & shown) < 2, (source.name, path.name, lines & shown)
