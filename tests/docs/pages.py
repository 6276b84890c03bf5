"""The texts of the project, taken apart: blocks of code, tables, and the sources they include."""

import doctest
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs" / "_ext"))

import source_finder  # noqa: E402

PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "exercises/README.md"]
    if path.exists() and not {"_build", "_generated"} & set(path.parts)
)

_FENCE = re.compile(r"^(`{3,})(\{?[\w-]*\}?) *(.*?)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)

_PAGE_OF_ERROR = re.compile(r'^See "python -m minitorch explain .*\n', re.MULTILINE)


class Checker(doctest.OutputChecker):
    """Accept a traceback without the note that names the page of the exception."""

    def check_output(self, want, got, optionflags):
        if not _PAGE_OF_ERROR.search(want):
            got = _PAGE_OF_ERROR.sub("", got)
        return super().check_output(want, got, optionflags)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def fences(text, line=1):
    """``(line number, kind, argument, text)`` of each fenced block, also of those inside others."""
    for match in _FENCE.finditer(text):
        ticks, kind, argument, body = match.groups()
        first = line + text.count("\n", 0, match.start()) + 1
        yield first, kind, argument, body
        if len(ticks) > 3:
            yield from fences(body, first)


def blocks(path, language):
    """``(line number, text)`` of each fenced block in a language."""
    return [
        (line, body)
        for line, kind, _, body in fences(path.read_text(encoding="utf-8"))
        if kind == language
    ]


@dataclass
class Include:
    """One ``source`` or ``literalinclude``, carried out."""

    file: str
    text: str
    start: int  # index of the first line in the file
    options: dict


def includes(path):
    """Every ``source`` and ``literalinclude`` of a page, in order."""
    found = []
    for _, kind, argument, body in fences(path.read_text(encoding="utf-8")):
        options = dict(re.findall(r'^:([\w-]+): *"?(.*?)"?$', body, re.MULTILINE))
        if kind == "{source}":
            piece = _piece(ROOT / argument.strip(), options)
            text, start = "\n".join(piece.lines), piece.first - 1
            found.append(Include(argument.strip(), text, start, options))
        elif kind == "{literalinclude}":
            file = (path.parent / argument.strip()).resolve()
            lines = file.read_text(encoding="utf-8").splitlines()
            if "start-after" in options:
                start = index_of(lines, options["start-after"], 0) + 1
            else:
                start = index_of(lines, options["start-at"], 0) if "start-at" in options else 0
            end = len(lines)
            if "end-before" in options:
                end = index_of(lines, options["end-before"], start)
            text = "\n".join(lines[start:end])
            found.append(Include(file.relative_to(ROOT).as_posix(), text, start, options))
    return found


def _piece(file, options):
    if "object" in options:
        return source_finder.find_object(file, options["object"])
    if "marker" in options:
        return source_finder.find_marker(file, options["marker"])
    return source_finder.whole(file)


def index_of(lines, text, start):
    for index in range(start, len(lines)):
        if text in lines[index]:
            return index
    raise LookupError(f"no line has {text!r}")


def functions_of(include):
    """The functions that an included piece of source defines, methods as ``Class.method``."""
    lines = (ROOT / include.file).read_text(encoding="utf-8").splitlines()
    count = len(include.text.splitlines())
    found, class_name = [], None
    for index, line in enumerate(lines[: include.start + count]):
        if match := re.match(r"(?:cdef )?class (\w+)", line):
            class_name = match[1]
        elif line and not line[0].isspace() and not line.startswith(("#", "@")):
            class_name = None
        if index < include.start:
            continue
        if match := re.match(r"( *)(?:def|cdef(?: inline)?(?: [\w.*]+)?) (\w+)\(", line):
            in_class = bool(match[1]) and class_name is not None
            found.append(f"{class_name}.{match[2]}" if in_class else match[2])
    return found
