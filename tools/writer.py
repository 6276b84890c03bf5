"""Writing Cython source: lines with indentation, and the parameters of a function."""

import itertools

from tools.schema import C_TYPES, Schema

WIDTH = 120


class Writer:
    """Lines with indentation; long ones are broken after a comma."""

    def __init__(self):
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines += wrapped("    " * self.depth + line) if line else [""]

    def block(self, line: str):
        self(line)
        return self

    def __enter__(self):
        self.depth += 1

    def __exit__(self, *_):
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def wrapped(line: str) -> list[str]:
    """Break a line inside of its brackets, after a comma or before an operator, so that it fits."""
    if len(line) <= WIDTH:
        return [line]
    places, depth, quote = [], 0, ""
    for k, c in enumerate(line):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif (
            c == " " and depth and (line[k - 1] == "," or line[k + 1 :].startswith(("or ", "and ")))
        ):
            places.append(k)
        depth += 0 if quote else (c in "([{") - (c in ")]}")
    indent = " " * (len(line) - len(line.lstrip()) + 8)
    lines, start = [], 0
    for place, following in itertools.pairwise([*places, len(line)]):
        room = WIDTH - (len(indent) if lines else 0)
        if following - start > room:
            lines.append((indent if lines else "") + line[start:place])
            start = place + 1
    return [*lines, (indent if lines else "") + line[start:]]


def c_parameters(schema: Schema, recorded: bool, extra: tuple[str, ...] = ()) -> str:
    parts = [f"{C_TYPES[p.kind][recorded]} {p.name}" for p in schema.parameters]
    return ", ".join([*parts, *extra])


def c_return(schema: Schema, recorded: bool) -> str:
    if len(schema.returns) > 1:
        return "tuple"
    kind = schema.returns[0][0]
    return C_TYPES[kind][recorded] if kind in C_TYPES else "object"


def literal(value) -> str:
    """Return the source of a tuple, dict, string or number, with double quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, Name):
        return str(value)
    return '"' + value.replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


class Name(str):
    """The name of a constant, which `literal` writes without quotes."""
