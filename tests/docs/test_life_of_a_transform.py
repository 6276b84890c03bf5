"""The page on transforms shows the sources that it speaks of, and its table is what happens."""

import re
import sys

from tests.docs.pages import ROOT, blocks, functions_of, includes

PAGE = ROOT / "docs" / "life_of_a_transform.md"
MARK = re.compile(r"# docs: (transform, .*)$")
ROW = re.compile(r"\| (\d+) \| [^|]* \| `([^`]+)` \| `(\w+)` \|$")


def table():
    """``(file, function)`` of each row."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [(match[2], match[3]) for line in lines if (match := ROW.match(line))]


def entered():
    """``(file, function)`` of the Python that the example enters, in order."""
    namespace, found = {}, []
    (_, example), *_ = blocks(PAGE, "python")
    *preparation, call = re.findall(r"^(?:>>>|\.\.\.) (.*)$", example, re.MULTILINE)
    exec("\n".join(preparation), namespace)

    def profile(frame, event, argument):
        if event == "call":
            file = frame.f_code.co_filename.replace("\\", "/").partition("/minitorch/")[2]
            found.append((f"minitorch/{file}", frame.f_code.co_name))

    sys.setprofile(profile)
    try:
        eval(call, namespace)
    finally:
        sys.setprofile(None)
    return found


def test_the_functions_are_entered_in_the_order_of_the_table():
    assert len(table()) == 7
    order = entered()
    in_python = [row for row in table() if row[0].endswith(".py")]
    entries = [order.index(row) for row in in_python]
    assert entries == sorted(set(entries))


def test_the_compiled_functions_of_the_table_are_shown():
    shown = {(piece.file, name) for piece in includes(PAGE) for name in functions_of(piece)}
    assert {row for row in table() if row[0].endswith(".pyx")} <= shown


def test_every_mark_in_the_sources_is_shown():
    marks = {
        (path.relative_to(ROOT).as_posix(), match[1])
        for path in (ROOT / "minitorch").rglob("*.p*")
        if path.suffix in (".py", ".pyx", ".pxd")
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := MARK.search(line))
    }
    shown = {
        (piece.file, piece.options["start-after"].removeprefix("# docs: "))
        for piece in includes(PAGE)
        if "start-after" in piece.options
    }
    assert marks == shown
