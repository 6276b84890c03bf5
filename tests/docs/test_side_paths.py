"""The pages of docs/learn/side_paths/ follow one template and show what they promise."""

import functools
import json
import re

import pytest

from minitorch.autograd.observe.program_recording import record_program
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
    "data_parallel",
]
HEADINGS = ["What differs", "Watch the two passes", "Typical mistakes"]
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
    assert re.search(r"[Ss]teps?\s\d", parts["What differs"])
    programs = re.findall(r"```\{stepper\} (\S+)", parts["Watch the two passes"])
    assert len(programs) >= 2
    assert all((ROOT / "docs" / program).is_file() for program in programs)
    assert text.count(":predict:") == 1
    assert re.search(r"^\*\*Predict\.\*\* ", text, re.M)
    assert ":::{dropdown} Answer" in text
    assert parts["Watch the two passes"].count(":class: in-pytorch") == 1
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


# ---- what the pages say about their recordings


@functools.cache
def recording_of(name):
    return json.loads(record_program(ROOT / "docs" / "recordings" / f"{name}.py").to_json())


def events_of(name, kind):
    return [event for event in recording_of(name)["events"] if event["kind"] == kind]


def values_of(event):
    return [gradient and gradient["values"] for gradient in event["gradients"]]


def names_of(name, events):
    nodes = recording_of(name)["nodes"]
    return [nodes[event["node"]]["name"].rpartition("::")[2] for event in events]


def kinds_and_names(name):
    events = recording_of(name)["events"]
    return [event["kind"] for event in events], names_of(name, events)


def test_hooks_differ_from_the_ordinary_pass_where_the_page_says():
    plain, hooked = (
        [event for event in recording_of(name)["events"] if event["kind"] != "hook"]
        for name in ("square", "hook")
    )
    assert len(plain) == len(hooked)
    differing = [
        event["kind"]
        for event, other in zip(plain, hooked, strict=True)
        if values_of(event) != values_of(other)
    ]
    assert differing[0] == "apply"
    assert [values_of(event)[0] for event in events_of("hook", "hook")] == [[8, 16], [4, 8]]


def test_create_graph_records_six_operators():
    nodes = recording_of("double_backward")["nodes"]
    names = {node["title"].rpartition("#")[2]: node["name"] for node in nodes}
    recorded = [names[str(number)] for number in range(3, 9)]
    assert recorded.count("MulBackward0") == 4 and recorded.count("AddBackward0") == 2
    _, second = events_of("double_backward", "root")
    assert nodes[second["node"]]["title"] == "AddBackward0 #8"


def test_inputs_run_fewer_nodes():
    every, some = (names_of(name, events_of(name, "pop")) for name in ("all_leaves", "inputs"))
    assert (every.count("AccumulateGrad"), some.count("AccumulateGrad")) == (2, 1)
    assert names_of("inputs", events_of("inputs", "apply")) == [
        "SumBackward0",
        "AddBackward0",
        "MulBackward0",
    ]
    senders = [
        recording_of("inputs")["nodes"][e["source"]] for e in events_of("inputs", "validate")
    ]
    assert [node["name"] for node in senders].count("MulBackward0") == 1


def test_a_function_has_the_events_of_an_operator():
    kinds, names = kinds_and_names("built_in_square")
    others, other_names = kinds_and_names("custom_function")
    assert kinds == others
    assert {a for a, b in zip(names, other_names, strict=True) if a != b} == {"PowBackward0"}


@pytest.mark.parametrize("name", ["re_entrant", "two_threads"])
def test_one_pass_lies_inside_of_the_other(name):
    tasks = [event["task"] for event in recording_of(name)["events"]]
    outer, inner = sorted(set(tasks))
    first, last = tasks.index(inner), len(tasks) - 1 - tasks[::-1].index(inner)
    assert set(tasks[first : last + 1]) == {inner}
    assert set(tasks[:first]) == set(tasks[last + 1 :]) == {outer}


@pytest.mark.parametrize("name", ["two_threads", "two_passes"])
def test_two_passes_add_up(name):
    assert events_of(name, "accumulate")[-1]["result"]["values"] == [12, 12]


def test_memory_is_freed_unless_the_graph_is_retained():
    first = recording_of("retain_graph")["events"][0]["task"]
    freed = events_of("retain_graph", "free")
    assert freed and all(event["task"] != first for event in freed)
    assert events_of("without_checkpoint", "free")


def test_a_batch_has_the_nodes_of_a_sample():
    assert kinds_and_names("sample_gradient") == kinds_and_names("batch_of_gradients")
    shapes = {
        str(gradient["shape"])
        for event in recording_of("batch_of_gradients")["events"]
        for gradient in event["gradients"]
        if gradient
    }
    assert shapes == {"[]", "[2]"}
