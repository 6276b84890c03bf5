"""The page on transforms shows the sources that it speaks of, and its table is what happens."""

import re
import sys

from tests.docs.pages import ROOT, blocks, functions_of, includes

PAGE = ROOT / "docs" / "learn" / "transform.md"
MARK = re.compile(r"# docs: (transform, .*)$")
ROW = re.compile(r"\| (\d+) \| [^|]* \| `(\w+)` \|$")


def table():
    """``(file, function)`` of each row; the file is that of the source that shows the function."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [match for line in lines if (match := ROW.match(line))]
    assert [int(row[1]) for row in rows] == list(range(1, 8))
    return [(files()[row[2]], row[2]) for row in rows]


def files():
    """The file of each function that the page shows."""
    return {name: piece.file for piece in includes(PAGE) for name in functions_of(piece)}


def entered():
    """``(file, function)`` of the Python that the example enters, in order."""
    namespace, found = {}, []
    (_, example), *_ = blocks(PAGE, "python")
    *preparation, call = re.findall(r"^(?:>>>|\.\.\.) (.*)$", example, re.MULTILINE)
    exec("\n".join(preparation), namespace)

    def profile(frame, event, argument):
        if event == "call":
            file = frame.f_code.co_filename.replace("\\", "/").rpartition("/minitorch/")[2]
            found.append((f"minitorch/{file}", frame.f_code.co_name))

    sys.setprofile(profile)
    try:
        eval(call, namespace)
    finally:
        sys.setprofile(None)
    return found


def test_the_functions_are_entered_in_the_order_of_the_table():
    order = entered()
    in_python = [row for row in table() if row[0].endswith(".py")]
    assert len(in_python) == 5
    entries = [order.index(row) for row in in_python]
    assert entries == sorted(set(entries))


def test_a_table_with_two_steps_exchanged_would_fail():
    order = entered()
    entries = [order.index(row) for row in table() if row[0].endswith(".py")]
    for k in range(len(entries) - 1):
        exchanged = [*entries[:k], entries[k + 1], entries[k], *entries[k + 2 :]]
        assert exchanged != sorted(set(exchanged))


def test_every_mark_in_the_sources_is_shown():
    marks = {
        (path.relative_to(ROOT).as_posix(), match[1])
        for path in (ROOT / "minitorch").rglob("*.p*")
        if path.suffix in (".py", ".pyx", ".pxd")
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := MARK.search(line))
    }
    shown = {
        (piece.file, piece.options["marker"])
        for piece in includes(PAGE)
        if "marker" in piece.options
    }
    assert marks == shown
