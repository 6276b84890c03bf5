"""The pages of docs/learn/side_paths/ follow one template and show what they promise."""

import re

import pytest

from minitorch.commands import explain
from tests.docs.pages import ROOT, includes

LEARN = ROOT / "docs" / "learn"
FOLDER = LEARN / "side_paths"
NAMES = [
    "hooks",
    "inplace",
    "create_graph",
    "inputs",
    "function",
    "re_entrancy",
    "threads",
    "memory",
    "transforms",
]
HEADINGS = ["What differs", "Watch the two passes", "In PyTorch", "Typical mistakes"]
PAGES = [FOLDER / f"{name}.md" for name in NAMES]
OTHERS = [LEARN / f"{name}.md" for name in ("transform", "history", "map")]


def name_of(path):
    return path.stem


def text_of(path):
    return path.read_text(encoding="utf-8")


def test_the_index_lists_the_pages():
    index = text_of(FOLDER / "index.md")
    assert re.findall(r"^(\w+)$", index.partition(":hidden:")[2], re.M) == NAMES
    assert re.findall(r"^\| \[.*?\]\((\w+)\.md\)", index, re.M) == NAMES
    assert {path.stem for path in FOLDER.glob("*.md")} == {*NAMES, "index"}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_a_page_follows_the_template(path):
    text = text_of(path)
    assert re.findall(r"^## (.*)$", text, re.M) == HEADINGS
    parts = dict(zip(HEADINGS, re.split(r"^## .*$", text, flags=re.M)[1:], strict=True))
    assert includes(path)
    assert parts["What differs"].count("```{source}") == len(includes(path))
    assert re.search(r"[Ss]teps? \d", parts["What differs"])
    programs = re.findall(r"```\{stepper\} (\S+)", parts["Watch the two passes"])
    assert len(programs) >= 2
    assert all((ROOT / "docs" / program).is_file() for program in programs)
    assert text.count(":predict:") == 1
    assert re.search(r"^\*\*Predict\.\*\* ", text, re.M)
    assert ":::{dropdown} Answer" in text
    assert parts["In PyTorch"].count(":class: in-pytorch") == 1
    assert parts["Typical mistakes"].count(":class: bad-input") == 1
    assert "Error: " in text
    assert text.count(":class: exercise") == 1
    assert text.rstrip().endswith("```")


@pytest.mark.parametrize("path", [*PAGES, *OTHERS], ids=name_of)
def test_every_highlight_marks_a_line(path):
    for piece in includes(path):
        for text in filter(None, piece.options.get("highlight", "").split(" ; ")):
            assert text in piece.text, f"{piece.file} has no {text!r} there"


@pytest.mark.parametrize("path", [*PAGES, *OTHERS], ids=name_of)
def test_no_source_is_pasted(path):
    assert "cdef " not in text_of(path)


def test_transforms_say_the_same_on_both_pages():
    assert "[The life of a transform](../transform.md)" in text_of(FOLDER / "transforms.md")
    assert "[Transforms](side_paths/transforms.md)" in text_of(LEARN / "transform.md")


@pytest.mark.parametrize("path", [*PAGES, LEARN / "transform.md"], ids=name_of)
def test_the_pages_of_errors_exist(path):
    slugs = re.findall(r"reference/errors/([\w-]+)\.md\)", text_of(path))
    assert slugs
    assert set(slugs) <= set(explain.pages())
