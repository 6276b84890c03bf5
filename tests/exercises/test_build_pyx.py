"""Answers in Cython: what they may name, and what a student reads if one cannot be built."""

import sys

import pytest

from exercises import build_pyx
from exercises.build_pyx import BuildError, build, check, load
from exercises.source import FILE

HEAD = "import cython\n"


def answer(text):
    """Return a file whose only answer is a text; it begins in line 3."""
    return f"{HEAD}# --- yours: helpers\n{text}\n# --- end\n"


def message_of(text, function=check):
    with pytest.raises(BuildError) as caught:
        function(answer(text))
    return str(caught.value), caught.value.line


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "minitorch" / "course" / "cython"


@pytest.mark.parametrize(
    "text",
    [
        "import heapq, math\nfrom collections import deque",
        "from cython.cimports.minitorch.autograd.node import Node",
        "@cython.cclass\nclass Box:\n    k: cython.Py_ssize_t\n    names: list",
        "@cython.cfunc\n@cython.inline\ndef f(k: cython.int) -> cython.ulong:\n    return k",
        "@cython.exceptval(-1)\n@cython.cfunc\ndef f(x: dict) -> cython.int:\n    return len(x)",
        "def f(x: int | None):\n    'a text that is no annotation'\n    return 'x' + x",
        "import cython",
    ],
)
def test_types_and_decorators_may_be_named(text):
    check(answer(text))


def test_the_line_is_that_of_the_answer():
    assert message_of("x = 1\ny = cython.cast(cython.int, x)") == (
        "an answer may not use cython.cast",
        4,
    )
    assert message_of("x = (") == ("SyntaxError: '(' was never closed", 3)
    assert message_of("def f(\n    a,\n    b: cython.p_int,\n): pass")[1] == 5


def test_the_file_around_the_answers_is_not_checked():
    check(f"{HEAD}x = cython.cast(cython.int, 1)\n{answer('y = 1')}")


def test_a_library_is_built_once(cache):
    text = answer("def double(k: cython.long):\n    return 2 * k")
    path = build(text)
    stamp = path.stat().st_mtime_ns
    assert build(text) == path and path.stat().st_mtime_ns == stamp
    assert path.parent == cache
    assert load(path).double(21) == 42
    assert build(text + "# changed\n") != path


def test_the_cache_keeps_the_newest_libraries(cache, monkeypatch):
    monkeypatch.setattr(build_pyx, "KEPT", 1)
    first = build(answer("x = 1"))
    second = build(answer("x = 2"))
    assert second.exists() and not first.exists()


def test_a_mistake_that_cython_finds_has_the_students_line(cache):
    message, line = message_of("\ndef f():\n    k: cython.int = 'ab'\n    return k", build)
    assert line == 5 and message.startswith("Cython: ")
    assert not list(cache.glob("*.so"))


def test_without_a_compiler_a_sentence_says_what_to_install(cache, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("CC", "no-such-compiler")
    message, line = message_of("x = 1", build)
    assert "there is no C compiler. Install one" in message and line is None


def test_without_cython_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "Cython.Compiler", None)
    (tmp_path / FILE).write_text(answer("x = 1"))
    assert build_pyx.outcome_of(tmp_path) == (build_pyx.NO_CYTHON, None)


def test_a_build_that_takes_too_long_ends(cache, monkeypatch):
    monkeypatch.setattr(build_pyx, "SECONDS", 3)
    message, _ = message_of("x = 10 ** 10 ** 9", build)
    assert "takes more than 3 s" in message


def test_errors_at_run_time_have_the_line_of_the_answer(cache):
    module = load(build(answer("def f(x: list):\n    return x[3]")))
    with pytest.raises(IndexError) as caught:
        module.f([])
    assert caught.traceback[-1].lineno + 1 == 4
    with pytest.raises(TypeError):
        module.f(())
