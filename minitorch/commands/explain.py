"""Explain a classic mistake: why an exception is raised, at which step, and how to fix it.

Without arguments, list the pages. With the name of a page, print it. With the text of an exception
or of a warning, or a part of it, print the page that explains it.

Note [Records of errors]
Each file of `errors/` is a page. Its name is the page's name, and its keys are:

    title            the mistake
    topic            a key of `TOPICS`
    step             a step of a backward pass (1 to 10), or "forward", "transform" or "none"
    see              pages of the site to read on, for a mistake outside of these steps
    noted            the page that the exception's note names, if it is not this one
    program          a program that makes the mistake; a comment marks the line that raises or warns
    raises, warns    the class of the exception or warning; neither if nothing is reported
    message          its text; parts in {braces} differ from program to program, and "..." at the end
                     stands for the rest
    prints           the output of the program
    why, where, fix  why it happens, at which step, and how to fix it
    repaired         the program without the mistake
    repaired_prints  the output of the repaired program

`docs/_ext/error_pages.py` makes the site's pages from these files, and tests run the programs.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "errors"
WIDTH = 88
COLUMN = 32  # where titles begin in a list
USE = 'Print a page with "python -m minitorch explain PAGE", or find it by a message in quotes.'

TOPICS = {
    "backward": "Calling backward",
    "in-place": "Writing in place",
    "leaves": "Leaves and .grad",
    "hooks": "Hooks, functions of your own, gradcheck",
    "shapes": "Shapes, dtypes, devices and indices",
    "modules": "Modules, losses and optimizers",
    "transforms": "vmap and other transforms",
    "silent": "Mistakes that raise nothing",
}

# the mistakes that are most frequent, in the order of the lists; all others follow by name
FREQUENT = (
    *("second-backward", "backward-without-grad", "non-scalar-backward"),
    *("saved-tensor-modified", "leaf-in-place", "view-of-leaf-in-place"),
    *("grad-of-non-leaf", "numpy-requires-grad", "integer-requires-grad"),
    *("function-gradient-count", "function-gradient-shape"),
    *("matmul-shapes", "broadcast-shapes", "dtype-mismatch", "view-of-non-contiguous"),
    *("optimizer-empty", "cross-entropy-dtype", "cross-entropy-label", "load-state-dict-keys"),
    *("missing-zero-grad", "detach-in-the-loss"),
)

# a step -> the site's page (in docs/learn), and a name
STEPS: dict[int | str, tuple[str, str]] = {
    1: ("backward/01_method", "the method"),
    2: ("backward/02_arguments", "the arguments"),
    3: ("backward/03_into_the_core", "the call into the core"),
    4: ("backward/04_task", "the task"),
    5: ("backward/05_dependencies", "the dependencies"),
    6: ("backward/06_ready_queue", "the ready queue"),
    7: ("backward/07_evaluate", "the node"),
    8: ("backward/08_formula", "the formula"),
    9: ("backward/09_sum", "the sum"),
    10: ("backward/10_sink", "the leaf"),
    "forward": ("forward", "the forward pass"),
    "transform": ("transform", "a transform"),
}


@dataclass(frozen=True)
class Page:
    """The record of a mistake; see Note [Records of errors]."""

    name: str
    title: str
    topic: str
    step: int | str
    program: str
    why: str
    where: str
    fix: str
    repaired: str
    noted: str = ""
    see: tuple[str, ...] = ()
    raises: str = ""
    warns: str = ""
    message: str = ""
    prints: str = ""
    repaired_prints: str = ""

    @property
    def text(self) -> str:
        """The message as the program reports it, on one line."""
        return re.sub(r"\{(.*?)\}", r"\1", _one_line(self.message))

    @property
    def pattern(self) -> re.Pattern[str]:
        """What the message of this mistake matches in any program, on one line."""
        message = _one_line(self.message)
        parts = re.split(r"\{.*?\}", message.removesuffix("...").rstrip())
        end = "" if message.endswith("...") else r"\Z"
        return re.compile(".*?".join(map(re.escape, parts)) + end)

    def explains(self, text: str) -> bool:
        """Return whether a text contains the message of this mistake."""
        return bool(self.message) and self.pattern.search(_one_line(text)) is not None

    @property
    def place(self) -> str:
        """A heading: the name of the step of `backward()`, if it happens in one."""
        if isinstance(self.step, int):
            return f"Step {self.step}: {STEPS[self.step][1]}"
        return "Where it happens"


def pages() -> dict[str, Page]:
    """Return all pages, by name, in the order of the topics."""
    found = [
        Page(path.stem, **tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(FOLDER.glob("*.toml"))
    ]
    topics = list(TOPICS)

    def key(page: Page) -> tuple[int, int, str, bool]:
        # pages with the same note follow each other
        note = page.noted or page.name
        rank = FREQUENT.index(note) if note in FREQUENT else len(FREQUENT)
        return topics.index(page.topic), rank, note, bool(page.noted)

    found.sort(key=key)
    return {page.name: page for page in found}


def search(text: str, among: dict[str, Page]) -> list[Page]:
    """Return the pages that explain a message, or else those that contain its words.

    Parameters
    ----------
    text : str
        What an exception says, or a part of it; a traceback's last lines are fine.
    among : dict
        The pages, as `pages` returns them.

    Examples
    --------
    >>> from minitorch.commands.explain import pages, search
    >>> [page.name for page in search("shape '[2, 5]' is invalid for input of size 9", pages())]
    ['reshape-size']
    """
    text = _one_line(text)
    found = [page for page in among.values() if page.explains(text)]
    # first the page that the exception's note names, and among those the longest message
    found.sort(key=lambda page: (bool(page.noted), -len(page.text)))
    if found:
        return found
    wanted = text.lower()
    found = [page for page in among.values() if wanted and wanted in _words(page)]
    if found:
        return found
    words = set(re.findall(r"\w{3,}", wanted))
    return [page for page in among.values() if words and all(w in _words(page) for w in words)]


def _words(page: Page) -> str:
    return f"{page.name} {page.title} {page.raises}{page.warns}: {page.text}".lower()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def show(page: Page, among: dict[str, Page]) -> Iterator[str]:
    """Yield the lines of a page as plain text."""
    yield from (page.title, "=" * len(page.title), "", *_indented(page.program), "")
    if page.message:
        kind = page.raises or page.warns
        yield "It raises:" if page.raises else "It warns:"
        yield from ("", *_wrapped(f"{kind}: {page.text}", "    "), "")
    if page.prints:
        yield from ("It prints:", "", *_indented(page.prints), "")
    yield from ("Why", "---", *_wrapped(page.why), "")
    yield from (page.place, "-" * len(page.place), *_wrapped(page.where), "")
    yield from ("How to fix it", "-" * 13, *_wrapped(page.fix), "", *_indented(page.repaired), "")
    if page.repaired_prints:
        yield from ("It prints:", "", *_indented(page.repaired_prints), "")
    others = related(page, among)
    if others:
        yield "See also:"
        yield from (f"    {other.name:{COLUMN}}{other.title}" for other in others)
        yield ""
    yield f"On the site: reference/errors/{page.name}.html"


def related(page: Page, among: dict[str, Page]) -> list[Page]:
    """Return the other pages whose exceptions have the same note."""
    note = page.noted or page.name
    same = [other for other in among.values() if note in (other.name, other.noted)]
    return [other for other in same if other is not page]


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.strip("\n").split("\n")]


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        _one_line(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(found: list[Page]) -> Iterator[str]:
    """Yield the lines of a list of pages."""
    topic = ""
    for page in found:
        if page.topic != topic:
            topic = page.topic
            yield from ("", TOPICS[topic])
        yield f"    {page.name:{COLUMN}}{page.title}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="PAGE",
        help="the name of a page, or the text of an exception in quotes; none: list all pages",
    )


def put(lines: Iterable[str]) -> None:
    """Print lines, even if `head` or a pager reads only some of them."""
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:
        # the interpreter flushes once more when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(options: argparse.Namespace) -> int:
    every = pages()
    text = " ".join(options.words)
    if not text:
        put((USE, *table(list(every.values()))))
        return 0
    named = [
        name
        for name in re.findall(r"(?:minitorch explain |errors/)([\w-]+)", text)
        if name in every
    ]
    text = named[0] if named else text
    found = [every[text]] if text in every else search(text, every)
    if not found:
        print(f"no page explains {text!r}", file=sys.stderr)
        close = difflib.get_close_matches(text, every, 3)
        if close:
            print(f"did you mean {' or '.join(close)}?", file=sys.stderr)
        return 1
    first, *others = found
    if others and not first.explains(text):
        put(("Several pages mention this:", *table(found)))
    else:
        put(show(first, every))
    return 0
