"""Find an object or a marked piece in a file of Python, Cython or TOML, without importing it."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^\s*(?:#|//) docs: (.*?)\s*$")

_CLASS = re.compile(r"(?:cdef\s+)?(?:class|struct|enum|union)\s+(\w+)|ctypedef\s+struct\s+(\w+)")
_FUNCTION = re.compile(r"(?:async\s+)?c?p?def\s+(?:[\w.*&, \[\]()]*?[\s*&)])?(\w+)\s*\(")
_ASSIGNMENT = re.compile(r"(?:cdef\s+[\w.*]+\s+)?(\w+)(?:\s*:[^=]+)?\s*=(?!=)")
_STRING_OR_COMMENT = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<triple>"""|\'\'\')|(?P<single>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')',
)
_CLOSING = {quotes: re.compile(rf"(?:[^\\]|\\.)*?{quotes}", re.DOTALL) for quotes in ('"""', "'''")}


class NotFound(LookupError):
    """No such object or marker in the file."""


@dataclass
class Piece:
    """Lines of a file: `first` and `last` count from 1 and are included."""

    path: Path
    first: int
    last: int
    lines: list
    name: str | None = None
    docstrings: dict = field(default_factory=dict)  # name -> its first and last line

    def numbered(self, fold=True):
        """Return ``[(number, line), ...]``, with `fold` without the docstrings that are folded."""
        hidden = set()
        if fold:
            for first, last in self.docstrings.values():
                hidden.update(range(first, last + 1))
        return [
            (number, line)
            for number, line in enumerate(self.lines, self.first)
            if number not in hidden
        ]

    def folded(self):
        """Return ``{name: text}`` of the docstrings without their quotes."""
        texts = {}
        for name, (first, last) in self.docstrings.items():
            text = "\n".join(self.lines[first - self.first : last - self.first + 1]).strip()
            text = re.sub(r'^[rRuUbB]*("""|\'\'\'|"|\')', "", text)
            head, _, rest = re.sub(r'("""|\'\'\'|"|\')$', "", text).partition("\n")
            texts[name] = f"{head}\n{_dedented(rest)}".strip()
        return texts


def _dedented(text):
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(indents, default=0)
    return "\n".join(line[cut:] for line in lines)


def blanked(text):
    """Blank out comments and strings.

    Returns
    -------
    lines : list of str
        The lines of the text, with blanks for comments and ``x`` for the characters of strings.
    inside : set of int
        The indices of the lines that begin inside a string.
    """
    out, inside, position = [], set(), 0
    line = 0
    while match := _STRING_OR_COMMENT.search(text, position):
        out.append(text[position : match.start()])
        line += out[-1].count("\n")
        end = match.end()
        if match["triple"]:
            closing = _CLOSING[match["triple"]].search(text, end)
            end = closing.end() if closing else len(text)
        pieces = text[match.start() : end].split("\n")
        filler = " " if match["comment"] else "x"
        out.append("\n".join(filler * len(piece) for piece in pieces))
        inside.update(range(line + 1, line + len(pieces)))
        line += len(pieces) - 1
        position = end
    return "".join([*out, text[position:]]).split("\n"), inside


@lru_cache(maxsize=64)
def objects(path):
    """Return ``{qualified name: Piece}`` for the objects of a file, in the order of the file."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return _tables(path, text)
    lines = text.splitlines()
    code, inside = blanked(text)
    logical = _logical_lines(code, inside)
    found, decorators, owners = {}, None, []
    for index, (start, indent) in enumerate(logical):
        head = code[start].strip()
        while owners and owners[-1][0] >= indent:
            owners.pop()
        if head.startswith("@"):
            decorators = start if decorators is None else decorators
            continue
        first, decorators = start if decorators is None else decorators, None
        is_class, match = True, _CLASS.match(head)
        if not match and "def" in head:
            is_class, match = False, _FUNCTION.match(head)
        if not match and not any(not of_class for _, _, of_class in owners):
            is_class, match = None, _ASSIGNMENT.match(head)
        if not match:
            continue
        name = ".".join([*(owner for _, owner, _ in owners), match[1] or match[match.lastindex]])
        last = _end(lines, logical, index, indent)
        if is_class is not None:
            owners.append((indent, name.rpartition(".")[2], is_class))
        piece = Piece(path, first + 1, last, lines[first:last], name=name)
        if is_class is not None and index + 1 < len(logical):
            docstring = _docstring(code, inside, logical, index, indent)
            if docstring:
                piece.docstrings[name] = docstring
                # of what is inside, only long ones are folded
                if docstring[1] > docstring[0]:
                    for owner in _owners(name):
                        if owner in found:
                            found[owner].docstrings[name] = docstring
        if name in found and (is_class is None or re.search(r"\.(setter|deleter)$", lines[first])):
            continue  # the first assignment counts, and the getter of a property
        found[name] = piece
    return found


def _owners(name):
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _logical_lines(code, inside):
    """Return ``[(index of the line, indent), ...]`` of the lines that begin a statement."""
    depth, continued, logical = 0, False, []
    for index, line in enumerate(code):
        stripped = line.strip()
        if stripped and depth <= 0 and not continued and index not in inside:
            logical.append((index, _indent(line)))
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        continued = stripped.endswith("\\")
    return logical


def _end(lines, logical, index, indent):
    """Return the number of the last line of the statement and its block."""
    end = len(lines)
    for start, other in logical[index + 1 :]:
        if other <= indent:
            end = start
            break
    while end > logical[index][0] + 1:
        line = lines[end - 1]
        shallow = line.strip().startswith(("#", "@")) and _indent(line) <= indent
        if line.strip() and not shallow:
            break
        end -= 1
    return end


def _indent(line):
    return len(line) - len(line.lstrip())


def _docstring(code, inside, logical, index, indent):
    start, inner = logical[index + 1]
    if inner <= indent or not re.fullmatch(r"\s*[rRuU]?x+\s*", code[start]):
        return None
    end = start + 1
    while end in inside:
        end += 1
    return start + 1, end


def _tables(path, text):
    """Return the tables of a TOML file, each with the comments above it left out."""
    lines, found, heads = text.splitlines(), {}, []
    for index, line in enumerate(lines):
        if match := re.match(r"\[+([^\]]+)\]+\s*(?:#.*)?$", line):
            heads.append((index, match[1].strip().strip('"')))
    for (start, name), (end, _) in zip(heads, [*heads[1:], (len(lines), None)], strict=True):
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
            end -= 1
        found[name] = Piece(path, start + 1, end, lines[start:end], name=name)
    return found


def find_object(path, name):
    """Return the `Piece` of a function, class, ``Class.method``, assignment or TOML table."""
    known = objects(str(path))
    if name not in known:
        near = [other for other in known if other.rpartition(".")[2] == name.rpartition(".")[2]]
        hint = f"; there is {', '.join(near)}" if near else ""
        raise NotFound(f"{_shown(path)} has no object {name!r}{hint}")
    return known[name]


def find_marker(path, marker):
    """Return the `Piece` between ``# docs: marker`` and the next ``# docs: end``."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    marks = [(index, match[1]) for index, line in enumerate(lines) if (match := MARK.match(line))]
    starts = [place for place, (_, text) in enumerate(marks) if text == marker]
    if len(starts) != 1:
        known = ", ".join(repr(text) for _, text in marks if text != "end") or "none"
        many = "has no marker" if not starts else "has more than one marker"
        raise NotFound(f"{_shown(path)} {many} {marker!r}; its markers: {known}")
    (start, _), following = marks[starts[0]], marks[starts[0] + 1 :]
    if not following or following[0][1] != "end":
        raise NotFound(f"in {_shown(path)} no '# docs: end' follows the marker {marker!r}")
    first, last = start + 1, following[0][0]
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    piece = Piece(Path(path), first + 1, last, lines[first:last])
    inside = [
        found
        for found in objects(str(path)).values()
        if piece.first <= found.first and found.last <= piece.last
    ]
    for found in inside if Path(path).suffix != ".toml" else ():
        for name, (start, end) in found.docstrings.items():
            if end > start or found is inside[0]:
                piece.docstrings[name] = start, end
    if inside and all(found.name.startswith(inside[0].name) for found in inside):
        piece.name = inside[0].name
    return piece


def whole(path):
    """Return the `Piece` that is the whole file."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return Piece(Path(path), 1, len(lines), lines)


def _shown(path):
    path = Path(path)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


@lru_cache(maxsize=1)
def modules():
    """Return ``{module name: path}`` of minitorch's modules; a ``.pyx`` goes before a ``.py``."""
    found = {}
    for suffix in (".py", ".pyx"):
        for path in sorted((ROOT / "minitorch").rglob(f"*{suffix}")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            # `minitorch.fx` is minitorch/compat/fx
            short = tuple(part for k, part in enumerate(parts) if k != 1 or part != "compat")
            for name in {".".join(parts), ".".join(short)}:
                found[name.removesuffix(".__init__")] = path
    return found


def place_of(value):
    """Return ``(path, first line, last line)`` where a function or class is defined, or None."""
    value = getattr(value, "__func__", value)
    if isinstance(value, property):
        value = value.fget
    for _ in range(10):
        wrapped = getattr(value, "__wrapped__", None)
        if wrapped is None:
            break
        value = wrapped
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if module is None and hasattr(value, "__objclass__"):
        module = value.__objclass__.__module__
    path = modules().get(module)
    if path is None or not isinstance(name, str):
        return None
    piece = objects(str(path)).get(name.replace(".<locals>", ""))
    return None if piece is None else (path, piece.first, piece.last)
