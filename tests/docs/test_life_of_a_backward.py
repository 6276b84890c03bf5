"""The page's table is what happens: its functions, in its order, in the sources that it shows."""

import re
import sys

import pytest

from minitorch.autograd.events import Observer
from tests.docs.pages import ROOT, blocks, functions_of, includes

PAGE = ROOT / "docs" / "life_of_a_backward.md"
MARK = re.compile(r"# docs: (step (\d+).*)$")


def table():
    """``(step, file, functions)`` of each row."""
    rows = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\| (\d+) \| [^|]* \| `([^`]+)` \| (.*) \|$", line):
            rows.append((int(match[1]), match[2], re.findall(r"`([\w.]+)`", match[3])))
    return rows


def shown():
    """Step -> what is included under its heading."""
    headings = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    steps = [
        (int(match[1]), len(re.findall(r"```\{(?:literalinclude|source)\}", section)))
        for section in headings
        if (match := re.match(r"Step (\d+):", section))
    ]
    pieces = iter(includes(PAGE))
    return {step: [next(pieces) for _ in range(count)] for step, count in steps}


@pytest.fixture(scope="module")
def entered():
    """``(file or None, function)`` in the order in which a backward of the example enters them."""
    namespace = {}
    (_, example), *_ = blocks(PAGE, "python")
    for line in re.findall(r"^>>> (.*=.*|import.*)$", example, re.MULTILINE):
        exec(line, namespace)
    loss, events = namespace["loss"], []

    def profile(frame, event, argument):
        if event == "call":
            events.append((frame.f_code.co_filename, frame.f_code.co_name))

    class Functions(Observer):
        def entered(self, function, node):
            name = f"{type(node).__name__}.{function}" if function == "apply" else function
            events.append((None, name))

    with Functions():
        sys.setprofile(profile)
        try:
            loss.backward()
        finally:
            sys.setprofile(None)
    return [
        (file and file.replace("\\", "/").partition("/minitorch/")[2], function)
        for file, function in events
    ]


def first_entries(rows, entered):
    """When each function of the table is entered for the first time."""
    entries = []
    for _, file, functions in rows:
        for function in functions:
            wanted = (
                (file.removeprefix("minitorch/"), function)
                if file.endswith(".py")
                else (None, function)
            )
            assert wanted in entered, f"{function} of {file} is never entered"
            entries.append(entered.index(wanted))
    return entries


def test_the_table_has_ten_steps():
    assert [step for step, _, _ in table()] == list(range(1, 11))


def test_the_functions_are_entered_in_the_order_of_the_table(entered):
    entries = first_entries(table(), entered)
    assert entries == sorted(set(entries))


@pytest.mark.parametrize("step", range(9))
def test_a_table_with_two_steps_exchanged_would_fail(entered, step):
    rows = table()
    rows[step], rows[step + 1] = rows[step + 1], rows[step]
    entries = first_entries(rows, entered)
    assert entries != sorted(set(entries))


@pytest.mark.parametrize("step, file, functions", table())
def test_the_step_shows_the_source_of_its_functions(step, file, functions):
    pieces = shown()[step]
    defined = [
        function for piece in pieces if piece.file == file for function in functions_of(piece)
    ]
    for function in functions:
        assert function in defined or any(
            name.endswith(f".{function}") for name in defined if "." not in function
        )


def test_every_mark_in_the_sources_is_shown_under_its_step():
    marks = {}
    for path in (ROOT / "minitorch").rglob("*.p*"):
        if path.suffix in (".py", ".pyx", ".pxd"):
            for line in path.read_text(encoding="utf-8").splitlines():
                if match := MARK.search(line):
                    marks[path.relative_to(ROOT).as_posix(), match[1]] = int(match[2])
    assert marks
    used = {
        (piece.file, piece.options["start-after"].removeprefix("# docs: ")): step
        for step, pieces in shown().items()
        for piece in pieces
        if "start-after" in piece.options
    }
    assert used == marks


def test_no_source_is_pasted():
    text = PAGE.read_text(encoding="utf-8")
    assert "cdef " not in re.sub(r"```\{literalinclude\}.*?```", "", text, flags=re.DOTALL)
