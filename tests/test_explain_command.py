"""The pages of errors: every program runs, in minitorch and in PyTorch, and does what its page says."""

import ast
import contextlib
import io
import re
import subprocess
import sys
import tomllib
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

import minitorch
from minitorch import __main__ as command_line
from minitorch.commands.explain import FOLDER, FREQUENT, STEPS, TOPICS, Page, pages, search, show
from minitorch.core.error_pages import add_note, explained

ROOT = Path(__file__).resolve().parents[1]
PAGES = pages()
every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@dataclass
class Outcome:
    printed: str
    error: Exception | None
    warned: list[tuple[str, str]]

    @property
    def seen(self):
        """What has to be equal in minitorch and PyTorch."""
        error = self.error
        raised = None if error is None else (type(error).__name__, _own(str(error)))
        return self.printed, raised, self.warned


def _own(text):
    # where in PyTorch's sources a warning stands is not behaviour
    return text.split(" (Triggered internally")[0]


def _without_traceback(text):
    """Drop the traceback from anomaly mode's warning: it contains the lines of this file."""
    return text.partition("\n")[0] if text.startswith("Error detected in") else text


def run(program, library=minitorch):
    """Run a program, with warnings that are usually given once, and restore the random numbers."""
    printed, error = io.StringIO(), None
    always, state = library.is_warn_always_enabled(), library.get_rng_state()
    library.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
            warnings.simplefilter("always")
            try:
                exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
            except Exception as raised:
                error = raised
    finally:
        library.set_warn_always(always)
        library.set_rng_state(state)
    warned = [(w.category.__name__, _without_traceback(_own(str(w.message)))) for w in caught]
    return Outcome(printed.getvalue(), error, warned)


def for_pytorch(program):
    return program.replace("minitorch as torch", "torch").replace("minitorch", "torch")


def lines_with(program, text):
    return [n for n, line in enumerate(program.split("\n"), 1) if line.endswith(text)]


# ---- the records


def test_there_are_pages_for_every_topic():
    assert len(PAGES) >= 30
    assert {page.topic for page in PAGES.values()} == set(TOPICS)
    assert set(FREQUENT) < set(PAGES)
    assert next(iter(PAGES)) == FREQUENT[0]


@every_page
def test_a_record_is_complete(page):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", page.name)
    assert page.step == "none" or page.step in STEPS
    assert not page.noted or PAGES[page.noted].raises == page.raises
    assert bool(page.message) == bool(page.raises or page.warns)
    assert not (page.raises and page.warns)
    assert all([page.title, page.why.strip(), page.where.strip(), page.fix.strip()])
    assert page.topic != "silent" or not page.message
    # lines that the site shows without scrolling
    assert max(map(len, (page.program + page.repaired).split("\n"))) <= 100


@every_page
def test_a_record_has_no_sentence_that_ends_in_the_middle(page):
    for text in (page.why, page.where, page.fix):
        assert text.rstrip().endswith((".", "?")), text
        assert text.count("`") % 2 == 0


@every_page
def test_programs_are_formatted(page):
    for program in (page.program, page.repaired):
        ast.parse(program)
        assert "import torch" not in program
        assert not re.search(r"[ \t]+$", program, re.MULTILINE)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_has_a_page_on_the_site(step):
    learn = ROOT / "docs" / "learn"
    if not (learn / "backward" / "01_method.md").exists():
        pytest.skip("the pages of the steps are not part of this tree")
    assert (learn / f"{STEPS[step][0]}.md").exists()


@every_page
def test_a_mistake_outside_the_steps_leads_to_pages_of_the_site(page):
    assert bool(page.see) == (page.step == "none")
    if not (ROOT / "docs" / "learn" / "index.md").exists():
        pytest.skip("the site's pages are not part of this tree")
    assert all((ROOT / "docs" / f"{target}.md").exists() for target in page.see)
    assert not page.see or any(target.startswith("learn/") for target in page.see)


def test_records_are_packed_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    records = f"{FOLDER.relative_to(Path(minitorch.__file__).parent).as_posix()}/*.toml"
    assert records in project["tool"]["setuptools"]["package-data"]["minitorch"]


# ---- the programs


@every_page
def test_the_program_makes_the_mistake(page):
    outcome = run(page.program)
    assert outcome.printed.strip("\n") == page.prints.strip("\n")
    if page.raises:
        assert type(outcome.error).__name__ == page.raises
        assert page.pattern.match(" ".join(str(outcome.error).split())), str(outcome.error)
        assert page.pattern.match(page.text.removesuffix(" ..."))
        (line,) = lines_with(page.program, "# raises")
        frames = traceback.extract_tb(outcome.error.__traceback__)
        # a function may be called on the marked line, or be marked itself
        assert line in [frame.lineno for frame in frames if frame.filename == "<program>"]
    else:
        assert outcome.error is None
        assert "# raises" not in page.program
    if page.warns:
        # in a loop, one warning is enough
        assert len(lines_with(page.program, "# warns")) == 1
        assert any(
            category == page.warns and page.pattern.match(" ".join(text.split()))
            for category, text in outcome.warned
        )
    if page.topic == "silent":
        assert outcome.warned == []


@every_page
def test_the_repaired_program_runs(page):
    outcome = run(page.repaired)
    if outcome.error is not None:
        raise outcome.error
    assert outcome.warned == []
    assert outcome.printed
    assert outcome.printed.strip("\n") == page.repaired_prints.strip("\n")


@every_page
def test_the_last_note_names_the_page(page):
    error = run(page.program).error
    if not page.raises:
        return
    name = page.noted or page.name
    assert error.__notes__[-1] == (
        f'See "python -m minitorch explain {name}" (reference/errors/{name}.html on the site)'
    )
    assert all(type(note) is str for note in error.__notes__)
    assert sum("minitorch explain" in note for note in error.__notes__) == 1


@every_page
@pytest.mark.parametrize("program", ["program", "repaired"])
def test_programs_do_the_same_in_pytorch(page, program):
    torch = pytest.importorskip("torch", reason="needs the compat extra: pip install '.[compat]'")
    text = getattr(page, program)
    assert run(text).seen == run(for_pytorch(text), torch).seen


# ---- the notes


def names_in_sources():
    """Return ``{file: names}`` of the pages that the sources of minitorch name."""
    if not (ROOT / "minitorch").exists():
        pytest.skip("an installed package has no compiled sources")
    found = {}
    for path in sorted((ROOT / "minitorch").rglob("*.py*")):
        if path.suffix not in (".py", ".pyx") or "generated" in path.parts:
            continue
        if path.name in ("error_pages.py", "explain.py"):
            continue
        text = path.read_text(encoding="utf-8")
        if "error_pages import" not in text:
            continue
        names = set(PAGES).intersection(re.findall(r'"([a-z0-9-]+)"', text))
        calls = re.findall(r'explained\(\s*\w+(?:\(.*?\))?,\s*"([^"]*)"', text, re.DOTALL)
        found[path.relative_to(ROOT).as_posix()] = names | set(calls)
    return found


def test_every_name_in_the_sources_is_a_page():
    found = names_in_sources()
    assert len(found) > 30
    for file, names in found.items():
        assert names, f"{file} imports explained, and names no page"
        assert names <= set(PAGES), file


def test_every_page_of_an_exception_is_named_in_the_sources():
    named = set().union(*names_in_sources().values())
    assert {page.noted or page.name for page in PAGES.values() if page.raises} <= named


def test_explained_changes_nothing_but_the_notes():
    error = RuntimeError("text", 2)
    assert explained(error, "second-backward") is error
    assert error.args == ("text", 2)
    assert str(error) == "('text', 2)"


def test_the_name_of_the_page_stays_the_last_note():
    error = explained(RuntimeError("text"), "second-backward")
    add_note(error, "first")
    add_note(error, "second")
    assert [note.split(" (")[0] for note in error.__notes__] == [
        "first",
        "second",
        'See "python -m minitorch explain second-backward"',
    ]
    plain = RuntimeError("text")
    add_note(plain, "first")
    add_note(plain, "second")
    assert plain.__notes__ == ["first", "second"]


def test_an_exception_keeps_the_notes_of_hooks():
    x = minitorch.tensor(1.0, requires_grad=True)

    def hook(grad):
        error = ValueError("mine")
        error.add_note("a note of the program")
        raise error

    x.register_hook(hook)
    with pytest.raises(ValueError, match="mine") as caught:
        x.backward()
    assert caught.value.__notes__[0] == "a note of the program"
    assert len(caught.value.__notes__) == 2


# ---- the command


def explain(capsys, *words):
    status = command_line.main(["explain", *words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_without_arguments_all_pages_are_listed(capsys):
    status, out, _ = explain(capsys)
    assert status == 0
    for page in PAGES.values():
        assert f"    {page.name:32}{page.title}\n" in out
    assert all(title in out for title in TOPICS.values())


@every_page
def test_a_page_is_printed_in_plain_text(page, capsys):
    status, out, _ = explain(capsys, page.name)
    assert status == 0
    assert out == "\n".join(show(page, PAGES)) + "\n"
    assert "\x1b" not in out
    for text in (page.title, page.text.split(" ...")[0], page.why, page.where, page.fix):
        assert " ".join(text.split()) in " ".join(out.split())
    assert all(line in out for line in page.repaired.strip().split("\n"))


@every_page
def test_a_message_finds_its_page(page, capsys):
    error = run(page.program).error
    if not page.raises:
        pytest.skip("raises nothing")
    wanted = PAGES[page.noted or page.name]
    for text in (str(error), f"{page.raises}: {error}", error.__notes__[-1]):
        status, out, _ = explain(capsys, text)
        assert status == 0
        assert out.startswith(wanted.title + "\n"), text


@every_page
def test_the_beginning_of_a_message_finds_its_page(page):
    if page.message:
        assert page in search(page.text[:30], PAGES)
        assert page in search(page.text[:30].upper(), PAGES)


def test_words_of_several_pages_list_them(capsys):
    status, out, _ = explain(capsys, "empty parameter list")
    assert status == 0
    assert out.startswith("An optimizer without parameters\n") or "optimizer-empty" in out
    status, out, _ = explain(capsys, "vmap")
    assert status == 0
    assert out.startswith("Several pages mention this:\n")
    assert {"vmap-item", "vmap-random"} <= set(out.split())
    # the first of these pages has no message
    _, out, _ = explain(capsys, "optimizer that")
    assert "optimizer-with-old-parameters" in out.split()


def test_a_pasted_traceback_finds_its_page(capsys):
    for end in ("", '\nSee "python -m minitorch explain second-derivative" (on the site)'):
        status, out, _ = explain(
            capsys,
            'Traceback (most recent call last):\n  File "/errors/minitorch/program.py", line 2\n'
            "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"
            + end,
        )
        assert status == 0
        page = PAGES["second-derivative" if end else "backward-without-grad"]
        assert out.startswith(page.title + "\n")


def test_a_reader_may_close_the_pipe():
    command = [sys.executable, "-m", "minitorch", "explain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_an_unknown_page_is_an_error_with_a_suggestion(capsys):
    status, out, err = explain(capsys, "second-backwards")
    assert (status, out) == (1, "")
    assert "did you mean second-backward" in err
    status, out, err = explain(capsys, "qwertyuiop")
    assert (status, out) == (1, "")
    assert err == "no page explains 'qwertyuiop'\n"


def test_a_traceback_leads_to_its_page(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PAGES["second-backward"].program.lstrip(), encoding="utf-8")
    failed = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    command = re.search(r'"python (-m minitorch explain .*?)"', failed.stderr.splitlines()[-1])
    shown = subprocess.run(
        [sys.executable, *command[1].split()], capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith(PAGES["second-backward"].title)


def test_a_record_with_an_unknown_key_is_not_a_page():
    with pytest.raises(TypeError, match="unexpected keyword"):
        Page("name", unknown=1)
