"""No hostile answer in Cython earns points, does harm, or takes long, in either sandbox."""

import glob
import inspect
import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from exercises.build_pyx import NO_COMPILER, NO_CYTHON
from exercises.grader import GraderError, build, grading, jail
from exercises.grader.key import make_key
from exercises.grader.worker import Worker
from exercises.source import find
from tests.exercises.hostile import typed

REPORTED = 20.0  # seconds
ATTACKS = [f for _, f in inspect.getmembers(typed, inspect.isfunction)]
HELPERS = "# --- yours: helpers\n"


@pytest.fixture(scope="module", params=["bwrap", "user"])
def sandbox(request):
    reason = jail.why_not(request.param)
    if reason is not None:
        pytest.skip(f"the sandbox {request.param} does not work here: {reason}")
    if not jail.has_landlock():
        pytest.skip("this kernel has no Landlock")
    return request.param


@pytest.fixture(scope="module")
def key(sandbox):
    return make_key(find(12), "teacher", sandbox)


@pytest.fixture(scope="module")
def worker(sandbox, key):
    """A worker that all attacks share, so that one which harms it harms the others."""
    with Worker(sandbox, key.tests, key.language) as worker:
        yield worker


@pytest.fixture(autouse=True)
def short_patience(monkeypatch):
    monkeypatch.setattr(build, "SECONDS", 13)
    monkeypatch.setattr(grading, "LOADING", 1.5)
    monkeypatch.setattr(grading, "TOGETHER", 4)
    # the wrong answers take longer than all attacks, and no attack behaves like one of them
    monkeypatch.setattr(grading, "diagnose", lambda *_: None)


def graded(text, worker, key, tmp_path):
    """Return the report on an answer that is the stub with a text among the helpers."""
    source = find(12)
    stub = source.stub().replace("raise NotImplementedError", "pass  # ")
    path = tmp_path / "a12_cython_loop.py"
    path.write_text(stub.replace(HELPERS, f"{HELPERS}{text}\n"))
    begin = time.monotonic()
    report = grading.grade_in(worker, source, path, key)
    assert time.monotonic() - begin < REPORTED
    assert report.complete and report.score == 0, report
    assert "root:" not in report.to_json()  # from /etc/passwd
    assert not glob.glob(os.path.join(tempfile.gettempdir(), "minitorch-build-*"))
    assert not Path(tempfile.gettempdir(), "hostile_was_here").exists()
    return report


@pytest.mark.parametrize("name", typed.REJECTED)
def test_a_text_that_leads_the_compiler_astray_is_rejected(
    name, worker, key, tmp_path, monkeypatch
):
    text, message = typed.REJECTED[name]
    if not message:
        monkeypatch.setattr(build, "SECONDS", 6)
    report = graded(text, worker, key, tmp_path)
    assert message in (report.message or "")


@pytest.mark.parametrize("attack", ATTACKS, ids=[f.__name__ for f in ATTACKS])
def test_an_attack_from_compiled_code_earns_nothing(attack, worker, key, tmp_path):
    text = f"{inspect.getsource(attack)}\n{attack.__name__}()"
    if "module(" in text:
        text = f"import heapq\n{typed.TOOLS}\n{text}"
    report = graded(text, worker, key, tmp_path)
    assert "building it" not in (report.message or "")  # then nothing has been attacked
    for result in report.results:
        if result.hidden:
            assert result.expected is result.got is result.line is None


@pytest.mark.parametrize("message", [NO_CYTHON, NO_COMPILER])
def test_a_grader_without_compilers_gives_no_grade(message, sandbox, monkeypatch):
    monkeypatch.setattr(build, "_receive", lambda *_: ({"message": message}, b""))
    with pytest.raises(GraderError, match="Install"):
        build.build(f"# {message}", sandbox)


def test_a_text_that_keeps_the_compiler_busy_is_stopped(sandbox, monkeypatch):
    monkeypatch.setattr(build, "PROCESSOR", 3)
    text = "\n".join(f"def f{k}(x):\n    return [x, {k}, x + {k}]" for k in range(6000)) + "\n"
    begin = time.monotonic()
    assert "too much memory or time" in build.build(text, sandbox).error
    assert time.monotonic() - begin < REPORTED


def test_a_library_that_is_too_large_is_not_read(sandbox, monkeypatch):
    monkeypatch.setattr(build, "LARGEST", 4_000)
    begin = time.monotonic()
    assert "too large" in build.build("# a text of its own", sandbox).error
    assert time.monotonic() - begin < REPORTED


def test_a_builder_that_does_not_start_gives_no_grade(sandbox, monkeypatch):
    command = [sys.executable, "-c", "import no_such_module"]
    monkeypatch.setattr(jail, "command", lambda *_, **__: command)
    with pytest.raises(GraderError, match="no_such_module"):
        build.build("# another text", sandbox)


def test_after_all_attacks_the_solution_still_gets_everything(worker, key, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "SECONDS", 40)
    monkeypatch.setattr(grading, "LOADING", 5)
    monkeypatch.setattr(grading, "TOGETHER", 40)
    path = tmp_path / "solution.py"
    path.write_text(find(12).solution())
    report = grading.grade_in(worker, find(12), path, key)
    assert report.score == report.total == 100, report
