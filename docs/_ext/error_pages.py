"""Write the pages of errors before Sphinx reads its sources.

The records are package data, so that ``python -m minitorch explain`` can print them too: see Note
[Records of errors] in minitorch/commands/explain.py. Git ignores the pages that are written here.
"""

import re
from pathlib import Path

from minitorch.commands.explain import STEPS, TOPICS, pages, related

FOLDER = "reference/errors"

INTRODUCTION = """\
# Errors

Each page is a classic mistake: a program that makes it, why it fails, at which of the
[ten steps](../../learn/backward/index.md) of a backward pass, and the repaired program. Tests run
all programs in minitorch and in PyTorch 2.13, and compare the class and the text of the exceptions.

The last line of an exception's traceback names its page. Without the site, print the page in a
terminal:

```console
$ python -m minitorch explain second-backward
```

If there is only a message, the command finds the page by its text, in quotes. The search of this
site does so too. An exception of a backward pass also has lines that name the node. They differ from
program to program, so the pages leave them out.
"""


def setup(app):
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(app):
    """Write the pages that have changed, and delete those without a record."""
    folder = Path(app.srcdir, FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    every = pages()
    texts = {f"{name}.md": page_text(page, every, app.srcdir) for name, page in every.items()}
    texts["index.md"] = index_text(every, app.srcdir)
    for path in folder.glob("*.md"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def index_text(every, srcdir):
    """Return the page that lists all errors by topic, with the beginning of each message."""
    parts = [linked(INTRODUCTION, srcdir)]
    for topic, title in TOPICS.items():
        parts.append(f"## {escaped(title)}\n")
        for page in every.values():
            if page.topic == topic:
                kind = page.raises or page.warns
                found = f"`{kind}`: {escaped(beginning(page.text))}" if kind else "no message"
                parts.append(f"[{escaped(page.title)}]({page.name}.md)\n: `{page.name}`. {found}\n")
    names = "\n".join(every)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```\n")
    return "\n".join(parts)


def page_text(page, every, srcdir):
    """Return the page of a mistake."""
    parts = [f"# {escaped(page.title)}", code(page.program)]
    if page.message:
        parts.append("It raises:" if page.raises else "It warns:")
        # one line, which the style sheet breaks at the width of the page
        message = " ".join(f"{page.raises or page.warns}: {page.text}".split())
        parts.append(block("text", ":class: error-text\n\n" + message))
    if page.prints:
        parts += ["It prints:", block("text", page.prints)]
    parts += ["## Why", page.why.strip(), f"## {escaped(page.place)}", where(page, srcdir)]
    parts += ["## How to fix it", page.fix.strip(), code(page.repaired)]
    if page.repaired_prints:
        parts += ["It prints:", block("text", page.repaired_prints)]
    others = related(page, every)
    if others:
        parts.append("## See also")
        parts.append("\n".join(f"- [{escaped(o.title)}]({o.name}.md)" for o in others))
    parts.append("In a terminal, this command prints the page:")
    parts.append(block("console", f"$ python -m minitorch explain {page.name}"))
    return "\n\n".join(parts) + "\n"


def where(page, srcdir):
    text = page.where.strip()
    if page.step == "none":
        return f"{text}\n\n{read_on(page, srcdir)}"
    target, name = STEPS[page.step]
    path = f"../../learn/{target}.md"
    if not Path(srcdir, FOLDER, path).exists():
        return text
    label = f"step {page.step}, {name}" if isinstance(page.step, int) else name
    return f"{text}\n\nSee [{label}]({path})."


def read_on(page, srcdir):
    """Return a sentence with links to the pages that a record names, by their titles."""
    links = []
    for target in page.see:
        path = Path(srcdir, f"{target}.md")
        if path.exists():
            title = re.search(r"(?m)^# (.*)", path.read_text(encoding="utf-8"))[1]
            links.append(f"[{title}](../../{target}.md)")
    return f"Read on: {' and '.join(links)}." if links else ""


def linked(text, srcdir):
    """Return Markdown without the links to pages that the site does not have."""

    def link(match):
        exists = Path(srcdir, FOLDER, match[2]).exists()
        return match[0] if exists else match[1]

    return re.sub(r"\[([^]]*)\]\((\.\./[^)]*)\)", link, text)


def code(program):
    """Return a program as a block; the line that raises or warns is highlighted."""
    lines = program.strip("\n").split("\n")
    marked = [n for n, line in enumerate(lines, 1) if re.search(r"# (raises|warns)$", line)]
    options = f":emphasize-lines: {marked[0]}\n" if marked else ""
    return block("python", options + program)


def block(language, text):
    return f"```{{code-block}} {language}\n{text.strip(chr(10))}\n```"


def beginning(text, words=18):
    """Return the first words of a message."""
    parts = text.split()
    return " ".join(parts[:words]) + (" …" if len(parts) > words else "")


def escaped(text):
    """Return plain text as Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|$~^])", r"\\\1", text)
