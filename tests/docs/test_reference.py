"""The reference: every public name on one page, with its source, and docstrings as markup without errors."""

import pytest

pytest.importorskip("sphinx", reason="needs Sphinx: pip install -e '.[docs]'")

import minitorch as torch
from docs._ext import reference, topics
from docs._ext.names import every_name, resolve
from tests.docs import pages  # noqa: F401 (the extensions can be imported)

PAGES = topics.pages(every_name())


def test_every_name_is_on_one_page():
    assert not PAGES.get("")
    placed = [name for names in PAGES.values() for name in names]
    expected = [
        name if space == "torch" else f"{space}.{name}"
        for space, names in every_name().items()
        for name in names
    ]
    assert sorted(placed) == sorted(expected)


def test_every_topic_has_names_and_names_none_that_is_missing():
    known = {name for names in PAGES.values() for name in names}
    for group in topics.GROUPS.values():
        for topic in group:
            assert PAGES[topic.slug], topic.slug
            listed = {name for name in topic.names.split() if "*" not in name}
            assert not listed - known, topic.slug


def test_every_name_has_a_source():
    missing = [
        n for names in PAGES.values() for n in names if reference.location(n, resolve(n)) is None
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("mul", "autograd/derivatives/arithmetic.toml"),
        ("Tensor.mul_", "autograd/derivatives/arithmetic.toml"),
        ("linalg.inv", "composed/linear_algebra.py"),
        ("nn.Linear", "nn/modules/linear.py"),
        ("nn.ReLU", "nn/modules/activation.py"),
        ("Tensor.shape", "autograd/functions/properties.pyx"),
        ("Tensor.backward", "_tensor.py"),
        ("autograd.engine.Engine", "autograd/engine.pyx"),
    ],
)
def test_the_source_of(name, file):
    assert reference.location(name, resolve(name))[0] == f"minitorch/{file}"


def test_markup_of_other_kinds_is_escaped():
    assert reference.inline("a *b* |c| d_ and ``*args``s") == r"a \*b\* \|c\| d\_ and ``*args``\ s"


def test_a_formula_between_bars_is_code():
    assert reference.inline("|x - y|, summed.") == "``|x - y|``, summed."


def test_names_of_entries_are_links_and_parameters_are_not():
    text = reference.inline(
        "Like `torch.add`, with `out`, not `normal`.", frozenset({"out", "normal"})
    )
    assert text == "Like :py:obj:`torch.add <torch.add>`, with ``out``, not ``normal``."


def test_a_docstring_as_markup():
    lines = reference.content(
        "Add.\n\nParameters\n----------\na, b : Tensor\n    Of any shape.\n\nReturns\n-------\nTensor\n\n"
        "Examples\n--------\n>>> 1 + 1\n2\n",
        frozenset(),
    )
    text = "\n".join(line for line in lines if line.strip())
    assert text == (
        "Add.\n:Parameters:\n    ``a``, ``b`` : Tensor\n        Of any shape.\n:Returns:\n    Tensor\n        ..\n"
        ".. rubric:: Examples\n.. code-block:: pycon\n   >>> 1 + 1\n   2"
    )


def test_methods_refer_to_their_function():
    names = ["mul", "Tensor.mul", "Tensor.mul_", "split", "Tensor.split"]
    assert [reference.base_of(name, names) for name in names] == [None, "mul", "mul", None, None]
    lines = reference.forms("mul", names[1:3])
    assert lines[1:3] == [".. py:method:: Tensor.mul(other)", "                 Tensor.mul_(other)"]
    text = "\n".join(lines)
    assert ":py:obj:`torch.mul` with this tensor" in text
    assert "In place, ``mul_`` writes the result to this tensor" in text


def test_signatures_are_shown_in_pythons_form():
    lines = reference.entry("sum", torch.sum, {})
    assert lines[1] == ".. py:function:: torch.sum(input, *, dtype=None)"
    assert lines[2].strip() == "torch.sum(input, dim, keepdim=False, *, dtype=None, out=None)"


def test_the_contents_of_a_page_list_its_functions_and_classes():
    # and no methods, in-place forms and second names: about forty lines at most
    first_of = reference.first_names(PAGES)
    for slug, names in PAGES.items():
        text = reference.page(topics.Topic(slug, slug, "", ""), names, first_of)
        heads = [part.split("\n\n")[0] for part in text.split(".. py:")[1:]]
        listed = [head.split("\n")[0] for head in heads if ":no-contents-entry:" not in head]
        assert len(listed) < 50, slug
        assert all(head.partition(":: ")[2].startswith(("torch.", "Tensor.")) for head in listed)
